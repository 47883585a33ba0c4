import type { Accepted, Schema } from '../../src/core/schema.js';

/** Whether two types are the same: no `any`, no missing optional, no extra field slips through. */
type Equal<X, Y> = (<T>() => T extends X ? 1 : 2) extends <T>() => T extends Y ? 1 : 2 ? true : false;

/** A type as one flat object at every depth, without the index signatures that loose objects have. */
type Known<T> = T extends readonly (infer Item)[]
  ? Known<Item>[]
  : T extends Date
    ? T
    : T extends object
      ? string extends keyof T
        ? KnownKeys<T> extends never
          ? { [K in keyof T]: Known<T[K]> }
          : { [K in keyof T as string extends K ? never : K]: Known<T[K]> }
        : { [K in keyof T]: Known<T[K]> }
      : T;
type KnownKeys<T> = keyof { [K in keyof T as string extends K ? never : K]: true };

/** An open enum is any string on the wire. */
type Open<T> = string & {} extends T ? string | OpenEach<Exclude<T, string>> : OpenEach<T>;
type OpenEach<T> = T extends readonly (infer Item)[]
  ? Open<Item>[]
  : T extends Date
    ? T
    : T extends object
      ? { [K in keyof T]: Open<T[K]> }
      : T;

/** `true` when a schema accepts exactly what an interface says. */
export type Exact<S extends Schema, Type> = Equal<Known<Accepted<S>>, Known<Open<Type>>>;

/** Compiles only for `true`. */
export function exact<_ extends true>(): void {}
