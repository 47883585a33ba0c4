import type { ClientEvent } from 'multilocal';
import { directoryStore } from 'multilocal/node';
import { argument, CONNECTION_ARGS, command, flag, option } from '../command.js';
import { createClient, optionsOf, refuseMissing } from '../connection.js';
import { EXIT } from '../failure.js';
import { lockFolder, prepareFolder } from '../sync/folder.js';
import { FORMATS, type Format, markdownStore } from '../sync/markdown.js';
import { sourceOf } from '../sync/owner.js';
import { update } from '../sync/run.js';
import { watch } from '../sync/watch.js';
import { resultInWords } from '../sync/words.js';

export const sync = command({
  description: 'Keep a folder with one file for each published article',
  args: {
    folder: argument('The folder; it is created if it is missing'),
    reconcile: flag('Also look for deleted articles: lists all articles'),
    watch: flag('Sync until Ctrl-C: at most once a minute and within half of the daily limit'),
    bulle: option('Only the articles of this location', 'id'),
    format: {
      type: 'enum',
      description: 'json, or md: Markdown with front matter, for site generators',
      options: [...FORMATS] as string[],
    },
    ...CONNECTION_ARGS,
  },
  async run({ args, output, signal }) {
    const { folder, reconcile, bulle: bulle_id } = args;
    const format = (args.format ?? 'json') as Format;
    const options = await optionsOf(args, output);
    refuseMissing(options);
    let sent = 0;
    const onEvent = ({ type }: ClientEvent) => {
      if (type === 'request') sent++;
    };
    const client = createClient({ ...options, onEvent }, output);
    const source = sourceOf(client, options.apiKey, bulle_id, format);
    const store = format === 'md' ? await markdownStore(folder) : directoryStore(folder);
    await prepareFolder(folder, store, format);
    const lock = await lockFolder(folder);
    const task = { client, sent: () => sent, folder, lock, store, source, bulle_id, reconcile, output, signal };
    try {
      if (args.watch) return await watch(task);
      const result = await update(task);
      output.data(result, output.wrap(resultInWords(folder, result)));
      return EXIT.done;
    } finally {
      await lock.release();
    }
  },
});
