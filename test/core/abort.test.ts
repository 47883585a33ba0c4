import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LONGEST_TIMER, onAbort, sleep, until } from '../../src/core/abort.js';

let controller: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  controller = new AbortController();
});

describe('the callbacks of a signal', () => {
  it('share one listener, which is removed with the last callback', () => {
    const { signal } = controller;
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const called: string[] = [];
    const detachFirst = onAbort(signal, () => called.push('first'));
    const detachSecond = onAbort(signal, () => called.push('second'));
    expect(added).toHaveBeenCalledOnce();
    detachFirst();
    detachFirst();
    expect(removed).not.toHaveBeenCalled();
    controller.abort();
    expect(called).toEqual(['second']);
    detachSecond();
    detachSecond();
    expect(removed).toHaveBeenCalledOnce();
  });

  it('listen again after all of them were removed', () => {
    const called = vi.fn();
    onAbort(controller.signal, called)();
    onAbort(controller.signal, called);
    controller.abort();
    expect(called).toHaveBeenCalledOnce();
  });

  it('are called at once if the signal has already aborted', () => {
    controller.abort();
    const called = vi.fn();
    onAbort(controller.signal, called);
    expect(called).toHaveBeenCalledOnce();
  });
});

describe('until', () => {
  it.each([
    ['resolves', Promise.resolve(1)],
    ['is a value', 1],
  ])('accepts work that %s, and leaves no listener', async (_, work) => {
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    await expect(until(work, controller.signal)).resolves.toBe(1);
    await vi.runAllTimersAsync();
    expect(removed).toHaveBeenCalledOnce();
  });

  it('rejects with the error of the work', async () => {
    await expect(until(Promise.reject(new Error('no')), controller.signal)).rejects.toThrow('no');
  });

  it('rejects with the reason of the signal, although the work goes on', async () => {
    const waiting = until(new Promise(() => {}), controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('sleep', () => {
  it.each([1000, LONGEST_TIMER, LONGEST_TIMER + 1, Number.POSITIVE_INFINITY])('of %d ms', async (ms) => {
    let isAwake = false;
    const sleeping = sleep(ms, controller.signal).then(() => (isAwake = true));
    const due = Math.min(ms, LONGEST_TIMER);
    await vi.advanceTimersByTimeAsync(due - 1);
    expect(isAwake).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await sleeping;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends with the signal, and leaves no timer', async () => {
    const sleeping = sleep(1000, controller.signal);
    controller.abort(new Error('enough'));
    await expect(sleeping).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
  });
});
