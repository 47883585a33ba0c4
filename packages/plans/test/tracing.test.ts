// Spans and counts of plans, as OpenTelemetry gets them.
import * as api from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { instrument } from 'multilocal/otel';
import { expect, it, onTestFinished } from 'vitest';
import { rehearsePlan } from '../src/index.js';
import { planOf, post, stage } from './helpers.js';

function traced() {
  const spans = new InMemorySpanExporter();
  const metrics = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).register();
  const meters = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 1e9 })],
  });
  api.metrics.setGlobalMeterProvider(meters);
  const stop = instrument(api);
  onTestFinished(async () => {
    stop();
    await meters.shutdown();
    for (const one of [api.trace, api.context, api.metrics]) one.disable();
  });
  const counts = async () => {
    await meters.forceFlush();
    const scopes = metrics.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
    const all = scopes.flatMap((scope) => scope.metrics);
    const found = all.filter(({ descriptor }) => descriptor.name === 'multilocal.plan.actions');
    const points = found.flatMap(({ dataPoints }) => dataPoints as { attributes: api.Attributes; value: unknown }[]);
    return {
      versions: new Set(scopes.map(({ scope }) => scope.version)),
      counts: points.map(({ attributes, value }) => {
        return [attributes['multilocal.operation'], attributes['multilocal.outcome'], value];
      }),
    };
  };
  return { spans: () => spans.getFinishedSpans(), counts };
}

it('a rehearsal and a run are spans with their requests, and their actions are counted once by outcome', async () => {
  const { client, journal, run } = await stage();
  const { spans, counts } = traced();
  const actions = [post('Un'), post('Deux'), post('Trois', { platforms: ['snapchat'] })];
  await rehearsePlan(client, planOf(actions), { journal });
  await run(actions, { keepGoing: true });
  await run(actions, { keepGoing: true });
  const plans = spans().filter(({ name }) => /Plan$/.test(name));
  expect(plans.map(({ attributes }) => attributes)).toEqual([
    { 'multilocal.operation': 'rehearsePlan', 'multilocal.plan.ready': 2, 'multilocal.plan.refused': 1 },
    { 'multilocal.operation': 'runPlan', 'multilocal.plan.applied': 2, 'multilocal.plan.not_applied': 1 },
    { 'multilocal.operation': 'runPlan', 'multilocal.plan.not_applied': 1 },
  ]);
  expect(plans.map(({ name }) => name)).toEqual(['rehearsePlan', 'runPlan', 'runPlan']);
  const ids = new Set(plans.map((span) => span.spanContext().spanId));
  const others = spans().filter((span) => !plans.includes(span));
  expect(others.length).toBeGreaterThan(3);
  expect(others.every(({ parentSpanContext }) => ids.has(parentSpanContext?.spanId ?? ''))).toBe(true);
  expect(plans[0]?.instrumentationScope.version).toBe('source');
  const { counts: counted, versions } = await counts();
  expect(versions).toEqual(new Set(['source']));
  const told = ['rehearsePlan ready 2', 'rehearsePlan refused 1', 'runPlan applied 2', 'runPlan not_applied 2'];
  expect(counted.map((one) => one.join(' '))).toEqual(told);
});

it('a plan that fails has the type of its error', async () => {
  const { client } = await stage();
  const { spans } = traced();
  await rehearsePlan(client, { actions: 'none' } as never).catch(() => {});
  expect(spans()[0]?.attributes).toMatchObject({ 'error.type': 'invalid_request' });
});
