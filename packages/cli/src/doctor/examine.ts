// cspell:ignore répond
import { createRequire } from 'node:module';
import type { Bulle, ClientOptions, Connection, Identity, MultilocalError } from 'multilocal';
import { accountState } from 'multilocal/internal/account-state';
import { Client } from 'multilocal/internal/client';
import { isMultilocalError } from 'multilocal/internal/errors';
import type { CallOptions } from 'multilocal/internal/options';
import { accountFindings } from './accounts.js';
import { type Address, addressFailure, addressOf, tlsFinding } from './address.js';
import { type Finding, ok } from './finding.js';
import { callFailure, keyFindings } from './key.js';
import { clockFinding, nodeFinding, proxyFinding } from './machine.js';
import { mistakeIn } from './settings.js';

/** What the doctor found. */
export interface Examination {
  readonly findings: readonly Finding[];
  readonly requests: number;
  /** The first error that makes calls fail. It decides on the exit code. */
  readonly error: MultilocalError | undefined;
}

/**
 * Checks machine, address, key and accounts in this order. A failure ends the later checks that depend on it, so the key
 * is sent only to an address that works.
 * @throws the reason of the signal.
 */
export async function examine(options: ClientOptions, signal: AbortSignal): Promise<Examination> {
  const visit = new DoctorRun(options, signal);
  await visit.run();
  return visit;
}

class DoctorRun implements Examination {
  readonly findings: Finding[] = [];
  requests = 0;
  error: MultilocalError | undefined;
  readonly #options: ClientOptions;
  readonly #signal: AbortSignal;
  /** The doctor needs of the responses only what its findings are about. */
  readonly #call: CallOptions;
  /** The time of the service in ms. That of this machine may be wrong. */
  #now = Date.now();

  constructor(options: ClientOptions, signal: AbortSignal) {
    this.#signal = signal;
    this.#call = { signal, lenient: true };
    const onEvent: ClientOptions['onEvent'] = ({ type }) => {
      if (type === 'request') this.requests++;
    };
    // No retries, so the doctor sends at most four requests: health, me, connections and bulles.
    this.#options = { ...options, maxRetries: 0, timeout: 10_000, onEvent };
  }

  async run(): Promise<void> {
    const { engines } = createRequire(import.meta.url)('multilocal/package.json') as { engines: { node: string } };
    this.findings.push(nodeFinding(process.versions.node, engines.node));
    const [address, key] = [mistakeIn('address', this.#options), mistakeIn('key', this.#options)];
    const isReached = address ? false : await this.#checkAddress(key !== undefined);
    for (const mistake of [address, key]) {
      if (mistake) this.findings.push(mistake.finding);
      this.error ??= mistake?.error;
    }
    if (!isReached || key) return;
    const client = new Client(this.#options);
    const identity = await this.#try('key', client.me(this.#call));
    if (!identity) return;
    this.findings.push(...keyFindings(identity));
    const connections = await this.#try('accounts', client.connections.list({}, this.#call));
    if (!connections) return;
    const bulles = await this.#namesFor(client, identity, connections);
    this.findings.push(...accountFindings(connections, bulles, this.#now));
  }

  /** Sends no key. Returns whether the service is there. */
  async #checkAddress(isKeyWrong: boolean): Promise<boolean> {
    const client = new Client({ ...this.#options, ...(isKeyWrong && { apiKey: 'none' }) });
    const address = addressOf(client);
    const sent = Date.now();
    const answer = await this.#try(address, client.health(this.#call).withResponse());
    if (!answer) return false;
    const date = answer.response.headers.get('date') ?? answer.data.timestamp ?? '';
    const clock = clockFinding({ date, sent, received: Date.now() });
    this.findings.push(
      ok('address', [`The service responds at ${address.text}.`, `Le service répond à ${address.text}.`]),
      tlsFinding(address, mistakeIn('address', { ...this.#options, allowHttp: false }) === undefined),
      ...(clock ? [clock] : []),
    );
    if (clock) this.#now = Date.parse(date);
    return true;
  }

  /** Reads the names of the locations, if the report mentions locations. Without names, it mentions the ids. */
  async #namesFor(client: Client, { bulle }: Identity, connections: readonly Connection[]): Promise<readonly Named[]> {
    if (bulle) return [bulle];
    if (connections.every((one) => accountState(one, this.#now) === 'ready')) return [];
    return client.bulles.list(this.#call).catch(() => {
      this.#signal.throwIfAborted();
      return [];
    });
  }

  /** Resolves to the result of a call. `undefined` if it fails, with the findings that explain why. */
  async #try<T>(what: 'key' | 'accounts' | Address, call: PromiseLike<T>): Promise<T | undefined> {
    try {
      return await call;
    } catch (thrown) {
      if (!isMultilocalError(thrown)) throw thrown;
      this.error = thrown;
      if (typeof what === 'string') this.findings.push(callFailure(what, thrown));
      else this.findings.push(addressFailure(thrown, what), ...(what.isSecure ? proxyFinding(process.env) : []));
      return undefined;
    }
  }
}

type Named = Pick<Bulle, 'id' | 'name'>;
