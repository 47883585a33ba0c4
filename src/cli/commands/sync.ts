import { CONNECTION_ARGS, command } from '../command.js';
import { EXIT } from '../failure.js';

export const sync = command({
  description: 'sync',
  args: CONNECTION_ARGS,
  async run() {
    return EXIT.done;
  },
});
