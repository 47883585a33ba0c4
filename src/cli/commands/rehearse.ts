import { CONNECTION_ARGS, command } from '../command.js';
import { EXIT } from '../failure.js';

export const rehearse = command({
  description: 'rehearse',
  args: CONNECTION_ARGS,
  async run() {
    return EXIT.done;
  },
});
