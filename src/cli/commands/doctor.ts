import { CONNECTION_ARGS, command } from '../command.js';
import { EXIT } from '../failure.js';

export const doctor = command({
  description: 'doctor',
  args: CONNECTION_ARGS,
  async run() {
    return EXIT.done;
  },
});
