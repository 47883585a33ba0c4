import { createRequire } from 'node:module';
import type { Bulle, ClientOptions, Connection, Identity, MultilocalError } from 'multilocal';
import { Client } from 'multilocal/internal/client';
import { isMultilocalError } from 'multilocal/internal/errors';
import { accountFindings, stateOf } from './accounts.js';
import { type Address, addressFailure, readAddress, tlsFinding } from './address.js';
import { type Finding, ok } from './finding.js';
import { callFailure, keyFindings } from './key.js';
import { clockFinding, nodeFinding, proxyFinding } from './machine.js';
import { addressMistake, keyMistake } from './settings.js';

/** No retries, so the doctor sends at most four requests: health, me, connections and bulles. */
const REQUEST = { maxRetries: 0, timeout: 10_000 };

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
  const visit = new Visit(options, signal);
  await visit.run();
  return visit;
}

class Visit implements Examination {
  readonly findings: Finding[] = [];
  requests = 0;
  error: MultilocalError | undefined;
  readonly #options: ClientOptions;
  readonly #signal: AbortSignal;
  /** The time of the service in ms. That of this machine may be wrong. */
  #now = Date.now();

  constructor(options: ClientOptions, signal: AbortSignal) {
    this.#signal = signal;
    this.#options = {
      ...options,
      ...REQUEST,
      onEvent: ({ type }) => {
        if (type === 'request') this.requests++;
      },
    };
  }

  async run(): Promise<void> {
    this.findings.push(nodeFinding(process.versions.node, supportedNode()));
    const address = addressMistake(this.#options);
    const key = keyMistake(this.#options);
    const isReached = address ? false : await this.#checkAddress(key !== undefined);
    for (const mistake of [address, key]) {
      if (!mistake) continue;
      this.findings.push(mistake.finding);
      this.error ??= mistake.error;
    }
    if (!isReached || key) return;
    const client = new Client(this.#options);
    const identity = await this.#checkKey(client);
    if (identity) await this.#checkAccounts(client, identity);
  }

  /** Sends no key. Returns whether the service is there. */
  async #checkAddress(isKeyWrong: boolean): Promise<boolean> {
    const client = new Client({ ...this.#options, ...(isKeyWrong && { apiKey: 'none' }) });
    const address = readAddress(this.#options.baseUrl ?? process.env.MULTILOCAL_BASE_URL ?? '');
    const sent = Date.now();
    const answer = await this.#try(client.health({ signal: this.#signal }).withResponse(), (error) =>
      this.#failedAddress(error, address),
    );
    if (!answer) return false;
    const { data, response } = answer;
    const received = Date.now();
    this.findings.push(
      ok('address', `The service responds at ${address.text}.`),
      tlsFinding(address, addressMistake({ ...this.#options, allowHttp: false }) === undefined),
    );
    const date = response.headers.get('date') ?? data.timestamp ?? '';
    const clock = clockFinding({ date, sent, received });
    if (clock) this.findings.push(clock);
    if (clock) this.#now = Date.parse(date);
    return true;
  }

  #failedAddress(error: MultilocalError, address: Address): readonly Finding[] {
    const proxy = address.isSecure ? proxyFinding(process.env, process.versions.node) : undefined;
    return [addressFailure(error, address), ...(proxy ? [proxy] : [])];
  }

  async #checkKey(client: Client): Promise<Identity | undefined> {
    const identity = await this.#try(client.me({ signal: this.#signal }), (error) => [callFailure('key', error)]);
    if (identity) this.findings.push(...keyFindings(identity));
    return identity;
  }

  async #checkAccounts(client: Client, { bulle }: Identity): Promise<void> {
    const connections = await this.#try(client.connections.list({}, { signal: this.#signal }), (error) => [
      callFailure('accounts', error),
    ]);
    if (!connections) return;
    const bulles = bulle ? [bulle] : await this.#namesFor(client, connections);
    this.findings.push(...accountFindings(connections, bulles, this.#now));
  }

  /** Reads the names of the locations, if the report mentions locations. Without names, it mentions the ids. */
  async #namesFor(client: Client, connections: readonly Connection[]): Promise<readonly Bulle[]> {
    if (connections.every((one) => stateOf(one, this.#now) === 'ready')) return [];
    return client.bulles.list({ signal: this.#signal }).catch(() => {
      this.#signal.throwIfAborted();
      return [];
    });
  }

  /** Resolves to the result of a call. `undefined` if it fails, with the findings that `explain` returns. */
  async #try<T>(call: PromiseLike<T>, explain: (error: MultilocalError) => readonly Finding[]): Promise<T | undefined> {
    try {
      return await call;
    } catch (thrown) {
      if (!isMultilocalError(thrown)) throw thrown;
      this.error = thrown;
      this.findings.push(...explain(thrown));
      return undefined;
    }
  }
}

function supportedNode(): string {
  const { engines } = createRequire(import.meta.url)('multilocal/package.json') as { engines: { node: string } };
  return engines.node;
}
