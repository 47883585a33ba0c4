import { invoke } from '@multilocal/plans/inside';
import { argument, CONNECTION_ARGS, command, flag } from '../command.js';
import { bytesOf, clientOf } from '../connection.js';
import { HINT } from '../errors-said.js';
import { EXIT, Interrupted, UsageError } from '../failure.js';
import { maskContacts } from '../mask.js';
import { endpointOf } from '../operation.js';
import { operationHelp, operationList } from '../operation-help.js';
import { readParameters } from '../parameters.js';

const DRY_RUN = 'This was a dry run: nothing was executed. Pass `--yes` to execute it.';

export const call = command({
  description: 'Call an operation; costly ones are dry runs without --yes',
  args: {
    operation: argument('The operation, such as posts.list'),
    yes: flag('Execute the operation instead of a dry run'),
    ...CONNECTION_ARGS,
  },
  rest: '[key=value …]',
  help([name], output, usage) {
    if (name !== undefined) return operationHelp(endpointOf(name).operation, output);
    return `${usage}\n\n${output.paint('bold', 'OPERATIONS')}\n\n${operationList(output)}`;
  },
  async run({ args, output, signal }) {
    const endpoint = endpointOf(args.operation);
    const { operation, method, dryRun, idempotent, confidential } = endpoint;
    const params = readParameters(operation, args._.slice(1));
    const asksForPreview = params.dry_run !== undefined && params.dry_run !== false;
    // The view `client.dryRun` adds it.
    if (dryRun) delete params.dry_run;
    if (operation === 'images.upload' && typeof params.file === 'string')
      params.file = await bytesOf(params.file, 'file');
    if (method !== 'GET' && !idempotent && !dryRun && !args.yes) {
      const hint = `\`npx multilocal call ${operation} --help\` shows what it does.`;
      throw new UsageError(`${operation} has no dry run, so it needs \`--yes\`. Nothing was sent.`, hint);
    }
    const isPreview = dryRun === true && (!args.yes || asksForPreview);
    let isSent = false;
    const client = await clientOf(args, output, { onEvent: () => (isSent = true) });
    const result = await invoke(isPreview ? client.dryRun : client, endpoint, params, { signal }).catch((thrown) => {
      const isUnknown = thrown instanceof Interrupted && isSent && method !== 'GET' && !isPreview;
      throw isUnknown
        ? new Interrupted('Interrupted while the request was on its way.', 'unknown', HINT.look[0])
        : thrown;
    });
    const shown = maskContacts(result, confidential?.(params));
    output.data(shown, JSON.stringify(shown ?? null, null, 2));
    if (isPreview) output.note(output.paintNote('yellow', DRY_RUN));
    return EXIT.done;
  },
});
