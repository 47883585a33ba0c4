import { command } from '../command.js';
import { documentText } from '../document.js';
import { EXIT } from '../failure.js';

export const openapi = command({
  description: 'Print the OpenAPI document of the service',
  args: {},
  async run({ output }) {
    output.raw(JSON.stringify(JSON.parse(documentText()), null, 2));
    return EXIT.done;
  },
});
