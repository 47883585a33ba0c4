import type { Client, ClientOptions, Identity } from 'multilocal';
import { inside } from 'multilocal/internal/inspect';
import type { Rehearsal } from 'multilocal/plans';
import { createClient, refuseMissing } from '../connection.js';
import { contractFor, type KnownService } from '../contract/known-service.js';
import type { Output } from '../output.js';
import type { Option } from './options.js';
import type { PlanFolder, PlanOwner } from './plan-folder.js';
import type { Reading } from './reading.js';
import { Refused } from './refused.js';

/** What the flags of `multilocal mcp` say. */
export interface McpSettings {
  /** The operations that `carry_out` may carry out. `undefined`: the tool does not exist. */
  readonly writes: ReadonlySet<string> | undefined;
  /** Whether plans are carried out without asking a person. */
  readonly isUnattended: boolean;
  /** The id of the only brand or location that the key may belong to. */
  readonly expected: string | undefined;
  /** The file of a contract check. */
  readonly contract: string | undefined;
}

/** A client and what is known of its key. */
export interface Connected {
  readonly client: Client;
  readonly identity: Identity;
  /** Whose plans the client makes. */
  readonly owner: PlanOwner;
}

/** A rehearsal, and what it was about. */
export interface Rehearsed {
  /** When, in ms. */
  readonly at: number;
  readonly rehearsal: Rehearsal;
  /** What a person should look at before the plan is carried out. */
  readonly warnings: readonly string[];
  /** What was chosen with it. */
  readonly options: readonly Option[];
  /** The text of the journal behind it. With another one, it does not count. */
  readonly journal: string | null;
}

const HOUR = 3_600_000;

/** What the tools share. It lives as long as the process: the protocol may make a server for each request. */
export class Session {
  /** The readings that can be continued. */
  readonly readings = new Map<string, Reading>();
  /** What was rehearsed without a refusal, by the id of the plan. */
  readonly rehearsed = new Map<string, Rehearsed>();
  /** What objects are, by `bulle_id abc` or `review_id abc`. */
  readonly seen = new Map<string, string>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #end = new AbortController();
  readonly #options: ClientOptions;
  #connected: Promise<Connected> | undefined;
  /** When it began, in ms. */
  #since = 0;

  constructor(
    readonly settings: McpSettings,
    readonly output: Output,
    readonly plans: PlanFolder,
    options: ClientOptions,
  ) {
    this.#options = options;
  }

  /**
   * Returns the client, and asks for the identity of its key the first time, and again if all listings are needed and an hour
   * has passed: some may have joined the brand. A failure is not kept: a person may correct its cause while the server runs.
   * @throws a `ConfigurationError` if the key or the address is missing, and a {@link Refused} if the key is another one
   * than `--expect` names.
   */
  connect(needsListings = false): Promise<Connected> {
    if (this.#connected && !(needsListings && Date.now() - this.#since > HOUR)) return this.#connected;
    this.#since = Date.now();
    this.#connected = this.#connect().catch((error) => {
      this.#connected = undefined;
      throw error;
    });
    return this.#connected;
  }

  async #connect(): Promise<Connected> {
    refuseMissing(this.#options);
    const client = createClient(this.#options, this.output);
    const identity = await client.me({ signal: this.#end.signal });
    const { expected } = this.settings;
    const owner = { sphere: identity.sphere.id, bulle: identity.bulle?.id, address: inside(client).address };
    if ([undefined, owner.sphere, owner.bulle].includes(expected)) return { client, identity, owner };
    throw new Refused(
      'wrong_account',
      'The key belongs to another brand or location than `--expect` names. Nothing else was read.',
      'A person must give this server the right key, or change `--expect`.',
    );
  }

  /** Notes that a call is being answered. */
  during<Result>(work: Promise<Result>): Promise<Result> {
    this.#running.add(work);
    return work.finally(() => this.#running.delete(work));
  }

  /** Ends the calls that are being answered. A write that is on its way is finished. */
  async close(): Promise<void> {
    this.#end.abort();
    await Promise.allSettled(this.#running);
  }

  /** Remembers what a location or a review is, for the person who confirms a plan about it: no route reads one review. */
  remember(operation: string, item: unknown, page?: unknown): void {
    const { id, name, review_id, text, rating, customer_name } = Object(item);
    if (operation === 'bulles.list') this.seen.set(`bulle_id ${id}`, name ?? id);
    if (operation !== 'reviews.list') return;
    const { id: fiche, name: listing } = Object(Object(page).fiche);
    const by = customer_name ? ` by ${customer_name}` : '';
    const of = listing || fiche ? `, ${listing || fiche}` : '';
    this.seen.set(`review_id ${review_id}`, `${rating} of 5 stars${by}${of}: ${text ?? 'no text'}`);
  }

  /** What a contract check has found out about the service. */
  contract(client: Client): Promise<KnownService | undefined> {
    return contractFor(client, '.', this.settings.contract);
  }
}
