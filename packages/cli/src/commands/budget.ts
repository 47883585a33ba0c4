import type { Budget } from 'multilocal';
import { CONNECTION_ARGS, command } from '../command.js';
import { clientOf } from '../connection.js';
import { EXIT } from '../failure.js';

const REMARK = 'The service does not report what other programs used. Only requests of this command are counted.';

export const budget = command({
  description: 'Show the request limits of the key and what is left',
  args: CONNECTION_ARGS,
  async run({ args, output, signal }) {
    const client = await clientOf(args, output);
    const { rate_limits } = await client.me({ signal });
    const { minute, day } = await client.budget();
    // The flags limit this command. What it shows are the limits of the key.
    const left = { minute: of(rate_limits.per_minute, minute), day: of(rate_limits.per_day, day) };
    output.data(left, output.fields({ minute: describe(left.minute), day: describe(left.day) }));
    output.note(output.paintNote('dim', output.wrap(REMARK)));
    return EXIT.done;
  },
});

function of(limit: number, { used }: Budget['minute']): Budget['minute'] {
  return { limit, used, left: Math.max(0, limit - used) };
}

function describe({ limit, used, left }: Budget['minute']): string {
  return `${left} of ${limit} requests left, ${used} used`;
}
