import type { Identity } from 'multilocal';
import { CONNECTION_ARGS, command } from '../command.js';
import { clientOf } from '../connection.js';
import { EXIT } from '../failure.js';
import type { Output } from '../output.js';
import { nameOf } from '../words.js';

export const whoami = command({
  description: 'Show what the key covers and allows',
  args: CONNECTION_ARGS,
  async run({ args, output, signal }) {
    const client = await clientOf(args, output);
    const identity = await client.me({ signal });
    output.data(identity, describe(identity, output));
    return EXIT.done;
  },
});

function describe(
  { bulle, sphere, permissions, rate_limits, connected_platforms, gmb_fiches }: Identity,
  output: Output,
) {
  const { per_minute, per_day } = rate_limits;
  const fields = output.fields({
    brand: `${nameOf(sphere)} (${sphere.id})`,
    scope: bulle ? `one location: ${nameOf(bulle)} (bulle_id ${bulle.id})` : 'the whole brand',
    permissions: permissions.join(', ') || 'none',
    limits: `${per_minute} requests a minute, ${per_day} a day`,
    platforms: connected_platforms.join(', ') || 'none',
    listings: gmb_fiches.length === 0 ? 'none' : `${gmb_fiches.length}`,
  });
  const listings = gmb_fiches.map((one) => `  ${output.wrap(`${nameOf(one)}  ${output.paint('dim', one.id)}`, 4)}`);
  return [fields, ...listings].join('\n');
}
