import * as z from 'zod/mini';
import { optionsSchema, readOptions } from './engine/options.js';
import { type MockApiOptions, optionsShape, type Settings, toSettings } from './settings.js';

/** Options of `startMockServer`. */
export interface MockServerOptions extends MockApiOptions {
  /**
   * The port; 0: any free one.
   * @default 0
   */
  port?: number | undefined;
  /**
   * The address or name to listen on. `0.0.0.0` (IPv4) and `::` (IPv6, usually IPv4 too) stand for every address of
   * this machine. Then containers and other machines of the network reach the mock, and a client there needs
   * `allowHttp: true`.
   * @default '127.0.0.1'
   */
  host?: string | undefined;
}

const PORT = 'startMockServer: `port` must be an integer from 0 to 65535';

const HOST = 'startMockServer: `host` must be a host name or an IP address';

/**
 * `isIP` is that of Node, which pages lack.
 * @throws a `ConfigurationError` if an option is unknown or invalid.
 */
export function readServerOptions(
  options: MockServerOptions,
  isIP: (text: string) => boolean,
): { readonly port: number; readonly host: string; readonly settings: Settings } {
  const isHost = (text: string) => isIP(text) || /^[\w.-]+$/.test(text);
  const schema = optionsSchema('startMockServer', {
    // Node would use any other value as the path of a socket file.
    port: z._default(
      z.int({ error: PORT }).check(z.minimum(0, { error: PORT }), z.maximum(65_535, { error: PORT })),
      0,
    ),
    // Node listens on every address if the host is empty.
    host: z._default(z.string({ error: HOST }).check(z.refine(isHost, { error: HOST })), '127.0.0.1'),
    ...optionsShape,
  });
  const { port, host, ...rest } = readOptions(schema, options);
  return { port, host, settings: toSettings(rest) };
}
