import { until } from '../core/abort.js';
import type { ErrorContext } from '../core/errors/index.js';
import { invalid } from '../core/request.js';
import { tagOf } from '../core/schema.js';

/** 8 MB, as the service counts an image. */
export const MAX_BYTES = 8 * 1024 * 1024;

/** A multiple of 3, so that the base64 pieces have no padding. `Reflect.apply` takes a third of the time of `...`. */
const CHUNK = 3 * 1024;

/**
 * Encodes an image as a data URI for `image_base64`. The format is detected from the bytes, since file names and MIME
 * types can be wrong.
 * @throws {InvalidRequestError} that names `file`.
 */
export async function dataUriOf(
  file: Blob | ArrayBuffer | Uint8Array,
  signal: AbortSignal | undefined,
  context: ErrorContext,
): Promise<string> {
  const refuse = (message: string, cause?: unknown) => invalid([{ path: ['file'], message }], { ...context, cause });
  const check = (size: number) => {
    if (size > MAX_BYTES) throw refuse(`must have at most 8 MB (${MAX_BYTES} bytes); this file has ${size}`);
  };
  if (isBlob(file)) check(file.size);
  let bytes: Uint8Array;
  try {
    // The bytes are read before the first `await`, because the caller may reuse the memory afterwards.
    bytes = isBlob(file) ? new Uint8Array(await readBlob(file, signal)) : viewOf(file);
  } catch (cause) {
    signal?.throwIfAborted();
    throw refuse('cannot be read', cause);
  }
  check(bytes.length);
  const format = formatOf(bytes);
  if (!format) throw refuse('must be a JPEG, PNG, WebP or GIF image');
  return `data:image/${format};base64,${base64Of(bytes)}`;
}

function readBlob(blob: Blob, signal: AbortSignal | undefined): Promise<ArrayBuffer> {
  return signal ? until(blob.arrayBuffer(), signal) : blob.arrayBuffer();
}

/** Throws if the memory was transferred to another thread. */
function viewOf(file: ArrayBuffer | Uint8Array): Uint8Array {
  return ArrayBuffer.isView(file)
    ? new Uint8Array(file.buffer, file.byteOffset, file.byteLength)
    : new Uint8Array(file);
}

/** Whether a value can be read as bytes. */
export function isFile(value: unknown): boolean {
  return isBlob(value) || ArrayBuffer.isView(value) || isArrayBuffer(value);
}

/** Accepts objects of other realms, where `instanceof` fails. */
function isBlob(value: unknown): value is Blob {
  const { size, arrayBuffer } = Object(value) as Partial<Blob>;
  return typeof size === 'number' && typeof arrayBuffer === 'function';
}

/** Accepts objects of other realms, where `instanceof` fails. */
function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return tagOf(value) === 'ArrayBuffer';
}

function formatOf(bytes: Uint8Array): 'jpeg' | 'png' | 'webp' | 'gif' | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^RIFF.{4}WEBP/s.test(head)) return 'webp';
  return /^GIF8[79]a/.test(head) ? 'gif' : undefined;
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += btoa(Reflect.apply(String.fromCharCode, null, bytes.subarray(at, at + CHUNK)));
  return text;
}
