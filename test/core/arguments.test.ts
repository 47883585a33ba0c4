import { expect, it } from 'vitest';
import { refuseSurplus, Surplus } from '../../src/core/arguments.js';

it('a method gets a surplus argument as options that every schema refuses', () => {
  class Resource {
    get(id: number, options?: object) {
      return [id, options];
    }
    list(options?: object) {
      return options;
    }
    find(...ids: number[]) {
      return ids;
    }
  }
  const resource = new Resource();
  refuseSurplus(resource, Resource.prototype, ['list']);
  const call = (method: (...given: never[]) => unknown, ...given: unknown[]) => Reflect.apply(method, resource, given);
  expect(call(resource.get, 1, {}, { timeout: 1 })).toEqual([1, new Surplus(2)]);
  expect(call(resource.get, 1, {}, undefined)).toEqual([1, {}]);
  expect(call(resource.list, {}, 1)).toEqual({});
  expect(call(resource.find, 1, 2)).toEqual([1, 2]);
  expect([resource.get.name, resource.get.length]).toEqual(['get', 2]);
});
