/** A context of OpenTelemetry. */
export interface OpenTelemetryContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): OpenTelemetryContext;
  deleteValue(key: symbol): OpenTelemetryContext;
}

/** Attributes of spans and metrics. */
export type OpenTelemetryAttributes = Record<string, string | number | boolean>;

/** The part of a span that `instrument` uses. */
export interface OpenTelemetrySpan {
  setAttributes(attributes: OpenTelemetryAttributes): unknown;
  setStatus(status: { code: number }): unknown;
  addEvent(name: string, attributes: OpenTelemetryAttributes, time: Date): unknown;
  end(): void;
}

/** The part of a histogram that `instrument` uses. */
export interface OpenTelemetryHistogram {
  record(value: number, attributes: OpenTelemetryAttributes, context: OpenTelemetryContext): void;
}

/** The part of a meter provider that `instrument` uses. */
export interface OpenTelemetryMeterProvider {
  getMeter(name: string): {
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
  context: {
    active(): OpenTelemetryContext;
    with<T>(context: OpenTelemetryContext, work: () => T): T;
  };
  trace: {
    getTracer(name: string): {
      startSpan(
        name: string,
        options: { kind: number; attributes: OpenTelemetryAttributes },
        context: OpenTelemetryContext,
      ): OpenTelemetrySpan;
    };
    getSpan(context: OpenTelemetryContext): OpenTelemetrySpan | undefined;
    setSpan(context: OpenTelemetryContext, span: OpenTelemetrySpan): OpenTelemetryContext;
  };
  metrics: {
    getMeterProvider(): OpenTelemetryMeterProvider;
  };
}

/** Whether a value has the methods that we call. */
export function isOpenTelemetry(value: unknown): boolean {
  const { context, trace, metrics } = Object(value) as Partial<OpenTelemetry>;
  const methods = [context?.active, context?.with, trace?.getTracer, trace?.getSpan, trace?.setSpan];
  return [...methods, metrics?.getMeterProvider].every((method) => typeof method === 'function');
}
