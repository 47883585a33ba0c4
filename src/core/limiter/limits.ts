/** The limits of one key. */
export interface Limits<Limit = number> {
  perMinute: Limit;
  perDay: Limit;
  /** Places of the minute that the client leaves to others. */
  reserve: number;
}

/** What one client knows of the limits. */
export type KnownLimits = Limits<number | undefined>;

/** The limits of a key of which nothing is known. */
export const [PER_MINUTE, PER_DAY] = [60, 1000];

const UNKNOWN: KnownLimits = { perMinute: undefined, perDay: undefined, reserve: 0 };

/**
 * The limits that the clients of a key know, as long as the clients live. Clients that know the same count as one group,
 * and nobody asks the others, so a call costs the same however many clients there were. `WeakRef` is no alternative:
 * `deref` keeps what it returns alive, so a busy process would never collect a client.
 */
export class ClientLimits {
  /** The number of living clients with the same limits. */
  readonly #groups = new Map<string, { readonly limits: KnownLimits; clients: number }>();
  /** The group of each client. A client is known by its function. */
  readonly #members = new WeakMap<() => KnownLimits, { group: string }>();
  // Workers with a compatibility date before May 2025 have none. Each client then follows its own limits.
  readonly #ended =
    globalThis.FinalizationRegistry && new FinalizationRegistry<{ group: string }>((member) => this.#leave(member));
  /** The lowest limits of all groups. `undefined` after a group has ended. */
  #lowest: KnownLimits | undefined = UNKNOWN;

  /** Notes what a client knows now. A client that knows nothing leaves no trace. */
  join(client: () => KnownLimits): void {
    const limits = client();
    const group = nameOf(limits);
    const member = this.#members.get(client) ?? { group: nameOf(UNKNOWN) };
    if (!this.#ended || member.group === group) return;
    if (!this.#members.has(client)) this.#ended.register(client, member);
    this.#members.set(client, member);
    this.#leave(member);
    member.group = group;
    const { clients } = this.#groups.get(group) ?? { clients: 0 };
    this.#groups.set(group, { limits, clients: clients + 1 });
    this.#lowest &&= merge(this.#lowest, limits);
  }

  /** The lowest limits that this client and all that have joined know. Without `reserve`, it uses all places. */
  of(client: () => KnownLimits): Limits {
    const own = client();
    this.#lowest ??= [...this.#groups.values()].reduce((lowest, { limits }) => merge(lowest, limits), UNKNOWN);
    const { perMinute = PER_MINUTE, perDay = PER_DAY, reserve } = merge(own, this.#lowest);
    return { perMinute, perDay, reserve: own.reserve && reserve };
  }

  #leave({ group }: { group: string }): void {
    const found = this.#groups.get(group);
    if (!found || --found.clients > 0) return;
    this.#groups.delete(group);
    this.#lowest = undefined;
  }
}

const nameOf = ({ perMinute, perDay, reserve }: KnownLimits): string => [perMinute, perDay, reserve].join();

const merge = (one: KnownLimits, other: KnownLimits): KnownLimits => ({
  perMinute: lower(one.perMinute, other.perMinute),
  perDay: lower(one.perDay, other.perDay),
  reserve: Math.max(one.reserve, other.reserve),
});

/** The lower one of two limits that may be unknown. */
const lower = (limit: number | undefined, other = limit): number | undefined =>
  limit === undefined || other === undefined ? other : Math.min(limit, other);
