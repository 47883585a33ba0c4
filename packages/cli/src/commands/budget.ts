import type { Budget } from 'multilocal';
import { Client } from 'multilocal/internal/client';
import { CONNECTION_ARGS, command } from '../command.js';
import { optionsOf, refuseMissing } from '../connection.js';
import { EXIT } from '../failure.js';

const REMARK = 'The service does not report what other programs used. Only requests of this command are counted.';

export const budget = command({
  description: 'Show the request limits of the key and what is left',
  args: CONNECTION_ARGS,
  async run({ args, output, signal }) {
    const options = await optionsOf(args, output);
    refuseMissing(options);
    const identity = await new Client(options).me({ signal });
    // The flags limit this command. What it shows are the limits of the key.
    const left = await new Client({ ...options, identity, rateLimit: undefined }).budget();
    output.data(left, output.fields({ minute: describe(left.minute), day: describe(left.day) }));
    output.note(output.paintNote('dim', output.wrap(REMARK)));
    return EXIT.done;
  },
});

function describe({ limit, used, left }: Budget['minute']): string {
  return `${left} of ${limit} requests left, ${used} used`;
}
