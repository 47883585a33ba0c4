/** A context of OpenTelemetry. */
export interface OpenTelemetryContext {
  /** Reads the value of a key. */
  getValue(key: symbol): unknown;
  /** Returns a context with one more value. */
  setValue(key: symbol, value: unknown): OpenTelemetryContext;
  /** Returns a context without the value of a key. */
  deleteValue(key: symbol): OpenTelemetryContext;
}

/** Attributes of spans and metrics. */
export type OpenTelemetryAttributes = Record<string, string | number | boolean>;

/** The part of a span that `instrument` uses. */
export interface OpenTelemetrySpan {
  /** Adds attributes. */
  setAttributes(attributes: OpenTelemetryAttributes): unknown;
  /** Sets the `SpanStatusCode`. */
  setStatus(status: { code: number }): unknown;
  /** Adds an event with its time. */
  addEvent(name: string, attributes: OpenTelemetryAttributes, time: Date): unknown;
  /** Ends the span. */
  end(): void;
}

/** The part of a histogram that `instrument` uses. */
export interface OpenTelemetryHistogram {
  /** Records one measurement. */
  record(value: number, attributes: OpenTelemetryAttributes, context: OpenTelemetryContext): void;
}

/** The part of a counter that `instrument` uses. */
export interface OpenTelemetryCounter {
  /** Adds to the count. */
  add(value: number, attributes: OpenTelemetryAttributes, context: OpenTelemetryContext): void;
}

/** The part of a meter provider that `instrument` uses. */
export interface OpenTelemetryMeterProvider {
  /** Returns the meter of a library. */
  getMeter(
    name: string,
    version: string,
  ): {
    /** Creates a counter. */
    createCounter(name: string, options: { description: string; unit: string }): OpenTelemetryCounter;
    /** Creates a histogram. */
    createHistogram(
      name: string,
      options: { description: string; unit: string; advice: { explicitBucketBoundaries: number[] } },
    ): OpenTelemetryHistogram;
  };
}

/**
 * The part of `@opentelemetry/api` that `instrument` uses: `import * as api from '@opentelemetry/api'` has it. It is
 * written out here, so that the types of this package need no other package.
 */
export interface OpenTelemetry {
  /** The active context. */
  context: {
    /** Returns the active context. */
    active(): OpenTelemetryContext;
    /** Runs a function with another active context. */
    with<T>(context: OpenTelemetryContext, work: () => T): T;
  };
  /** Tracers and spans. */
  trace: {
    /** Returns the tracer of a library. */
    getTracer(
      name: string,
      version: string,
    ): {
      /** Starts a span. */
      startSpan(
        name: string,
        options: { kind: number; attributes: OpenTelemetryAttributes },
        context: OpenTelemetryContext,
      ): OpenTelemetrySpan;
    };
    /** Returns the span of a context. */
    getSpan(context: OpenTelemetryContext): OpenTelemetrySpan | undefined;
    /** Returns a context with this span. */
    setSpan(context: OpenTelemetryContext, span: OpenTelemetrySpan): OpenTelemetryContext;
  };
  /** Metrics. */
  metrics: {
    /** Returns the global meter provider. */
    getMeterProvider(): OpenTelemetryMeterProvider;
  };
}

/** Whether a value has the methods that we call. */
export function isOpenTelemetry(value: unknown): boolean {
  const { context, trace, metrics } = Object(value) as Partial<OpenTelemetry>;
  const methods = [context?.active, context?.with, trace?.getTracer, trace?.getSpan, trace?.setSpan];
  return [...methods, metrics?.getMeterProvider].every((method) => typeof method === 'function');
}
