/** A body with the response that brought it. */
export interface ApiResult<T> {
  /** The parsed body: the value that the promise itself resolves to. */
  data: T;
  /** The real `Response`: status and headers. Its body has been read. */
  response: Response;
}

/**
 * A promise of the body of a response, which can also give the response itself.
 * The request is on its way from the start, awaited or not.
 * @example
 * const article = await client.articles.get(42);
 * const { data, response } = await client.articles.get(42).withResponse();
 */
export class ApiPromise<T> extends Promise<T> {
  readonly #result: Promise<ApiResult<T>>;

  /** @internal */
  constructor(result: Promise<ApiResult<T>>) {
    super((resolve, reject) => {
      result.then(({ data }) => data).then(resolve, reject);
    });
    this.#result = result;
  }

  /** What `then` makes of it is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** The body together with the `Response`: status, headers. */
  withResponse(): Promise<ApiResult<T>> {
    // `then` marks this promise as heard, so that one that fails is not reported twice.
    return this.then(() => this.#result);
  }
}
