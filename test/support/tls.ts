import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type Certificate = 'localhost' | 'expired' | 'other-host';

const pem = (name: Certificate | 'key') => readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), 'utf8');

/** Options of a server that shows one of the self-signed certificates of this folder. */
export const identityOf = (certificate: Certificate) => ({ key: pem('key'), cert: pem(certificate) });

/** What a client has to be told in order to trust it. */
export const trusting = (certificate: Certificate) => ({ ca: pem(certificate) });

interface AgentOptions {
  allowH2?: boolean;
  connect?: object;
}

interface Agent {
  destroy(): Promise<void>;
}

/**
 * A dispatcher of the undici within Node, which does not export it: other versions of undici do not work with the `fetch`
 * of every Node.
 */
export async function agentOf(options: AgentOptions): Promise<Agent> {
  // Set by the first use.
  await fetch('data:,');
  const known = globalThis as unknown as Record<symbol, object>;
  const shared = [2, 1].map((version) => known[Symbol.for(`undici.globalDispatcher.${version}`)]).find(Boolean);
  const Kind = (shared as object).constructor as new (options: AgentOptions) => Agent;
  return new Kind(options);
}

/** `fetchOptions` for such connections, until the test is over. */
export async function through(options: AgentOptions): Promise<Record<string, unknown>> {
  const dispatcher = await agentOf(options);
  onTestFinished(() => dispatcher.destroy());
  return { dispatcher };
}

/** Listens on loopback until the test is over. Resolves to the port. */
export async function listen(server: {
  on(event: 'connection', listener: (socket: Socket) => void): unknown;
  listen(port: number, host: string, listener: () => void): unknown;
  address(): unknown;
  close(callback: () => void): unknown;
}): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    // The client leaves as it likes.
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(resolve));
  });
  return (server.address() as { port: number }).port;
}
