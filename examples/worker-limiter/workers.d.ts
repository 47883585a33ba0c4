// The types of the Workers runtime that this example uses. `npx wrangler types` generates all of them: then delete this
// file.

declare module 'cloudflare:workers' {
  export class DurableObject<Env> {
    protected ctx: DurableObjectState;
    constructor(ctx: DurableObjectState, env: Env);
  }
  export function waitUntil(work: Promise<unknown>): void;
}

interface DurableObjectState {
  storage: {
    get<Value>(key: string): Promise<Value | undefined>;
    put<Value>(key: string, value: Value): Promise<void>;
  };
  blockConcurrencyWhile<Result>(work: () => Promise<Result>): Promise<Result>;
}

interface DurableObjectNamespace<Instance> {
  getByName(name: string): DurableObjectStub<Instance>;
}

/** The object may run in another data centre, so each call returns a promise. */
type DurableObjectStub<Instance> = {
  [Method in keyof Instance]: Instance[Method] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never;
};
