import type { Reply } from './http.js';
import type { Service } from './store.js';

/** The folder of all files, below the prefix of the base URL. */
export const FILES = '/files';

/** Serves a file by its name. `undefined` if there is none. */
export type Folder = (service: Service, name: string) => Reply | undefined;

/** A file with its content type. A string is sent as UTF-8. */
export const file = (content: string | Uint8Array<ArrayBuffer>, type: string): Reply => ({
  status: 200,
  text: content,
  headers: { 'content-type': type },
});

/**
 * The pictures and reports that responses link to: `/files/reports/x7Kd.pdf`. In the service they are on another host, so they are
 * no API routes: they need no key, and the rate limit does not count them.
 */
export function fileAt(
  folders: ReadonlyMap<string, Folder>,
  service: Service,
  method: string,
  path: string | undefined,
): Reply | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const [, folder = '', name = ''] = /^\/files\/([a-z-]+)\/([\w.-]+)$/.exec(path ?? '') ?? [];
  return folders.get(folder)?.(service, name);
}
