import { fileCursor } from '@multilocal/stores/cursor/file-cursor';
import { EVENT_NAMES } from '@multilocal/watch/events';
import { watch as events } from '@multilocal/watch/watch';
import type { WatchCursor, WatchEventType } from 'multilocal/watch';
import { CONNECTION_ARGS, command, flag, option, repeated } from '../command.js';
import { bytesOf, clientOf } from '../connection.js';
import { EXIT, Failed, UsageError } from '../failure.js';
import { integerOf } from '../flags.js';
import type { Output } from '../output.js';
import { receiverOf } from '../watch/address.js';
import { type Receiver, Sender, secretOf } from '../watch/webhook.js';
import { lineOf, withoutContacts } from '../watch/words.js';
import { suggestion } from '../words.js';

/** Where a watcher keeps what it has seen. */
const STATE = 'multilocal.watch.json';

export const watch = command({
  description: 'Tell what is new: reviews, posts, accounts, articles, reports. One JSON line an event',
  args: {
    once: flag('Look at what is due, and end: for cron and CI'),
    events: repeated('Only these, with commas: review.new, posts … (default: all)', 'names'),
    state: option(`File with what was seen (default: ${STATE})`, 'file'),
    webhook: option('Post each event to this address, signed as Standard Webhooks prescribe', 'url'),
    'webhook-secret-file': option('File with the secret: whsec_ and 24 bytes or more as base64', 'path'),
    'allow-private': flag('Let --webhook lead to a private network'),
    ...CONNECTION_ARGS,
    'per-day': option('Most requests in any 24 hours (default: 200)', 'n'),
  },
  async run({ args, values, output, signal }) {
    const { once = false, state = STATE, 'per-day': most, ...connection } = args;
    const names = namesOf(values('events'));
    const perDay = integerOf('per-day', most, 1);
    const receiver = await receiverFor(args, once);
    if (receiver) output.protect(receiver.secret);
    const client = await clientOf(connection, output);
    const cursor = cursorOf(state, output);
    const sender = receiver && new Sender(receiver, output, signal);
    try {
      for await (const event of events(client, { cursor, events: names, perDay, once, signal })) {
        const shown = output.clean(withoutContacts(event));
        await sender?.send(shown);
        // The cursor takes an event as told when the next one is asked for.
        await output.data(shown, output.wrap(lineOf(shown), 2));
        if (output.isClosed) break;
      }
    } catch (error) {
      if (signal.aborted && error === signal.reason) return EXIT.interrupted;
      // The flags are right, so it is the cursor: of another brand, or damaged.
      if (Object(error).code === 'configuration') throw new Failed(error, {}, EXIT.failed, hintOf(state));
      throw error;
    }
    return EXIT.done;
  },
});

/** Refusals of the lease, one a second, until a person is told. */
const PATIENCE = 4;

/** The cursor in a file, which says that another watcher has it. */
function cursorOf(state: string, output: Output): WatchCursor {
  const cursor = fileCursor(state);
  let refusals = 0;
  const lease = async () => {
    const taken = (await cursor.lease?.()) ?? null;
    refusals = taken ? 0 : refusals + 1;
    if (refusals === PATIENCE)
      output.note(
        `Another \`watch\` uses ${state}, so this one waits for its end. End it, or pass another \`--state\`.`,
      );
    return taken;
  };
  return { ...cursor, lease };
}

const hintOf = (state: string) => `The cursor is ${state}. \`--state\` names another file; a new one begins now.`;

function namesOf(given: readonly string[]): WatchEventType[] | undefined {
  const names = given.flatMap((list) => list.split(',')).map((name) => name.trim());
  const wrong = names.find((name) => !EVENT_NAMES.includes(name));
  if (wrong !== undefined)
    throw new UsageError(
      `\`--events\` has an unknown name.${suggestion(wrong, EVENT_NAMES)}`,
      `Names: ${EVENT_NAMES.join(', ')}.`,
    );
  return names.length > 0 ? (names as WatchEventType[]) : undefined;
}

interface Flags {
  readonly webhook?: string | undefined;
  readonly 'webhook-secret-file'?: string | undefined;
  readonly 'allow-private'?: boolean | undefined;
}

async function receiverFor(flags: Flags, once: boolean): Promise<Receiver | undefined> {
  const { webhook, 'webhook-secret-file': file, 'allow-private': allowPrivate = false } = flags;
  if (webhook === undefined) {
    if (file === undefined && !allowPrivate) return undefined;
    throw new UsageError(
      '`--webhook-secret-file` and `--allow-private` belong to `--webhook`.',
      'Add `--webhook <url>`.',
    );
  }
  const url = receiverOf(webhook, allowPrivate);
  if (file === undefined) {
    const hint = 'The receiver checks the signature of each event with the same secret.';
    throw new UsageError('`--webhook` needs `--webhook-secret-file`.', hint);
  }
  const secret = secretOf((await bytesOf(file, '--webhook-secret-file')).toString());
  return { url, secret, allowPrivate, once };
}
