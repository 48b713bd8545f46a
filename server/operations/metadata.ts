import { paramOf } from '../base/param_name.ts';
import { apiError } from './errors.ts';

export type Metadata = Record<string, string | number | boolean>;
/** As a caller sends it: null or an empty string removes a key. */
export type MetadataPatch = Record<string, string | number | boolean | null>;

const keysMax = 50;
const keyCharsMax = 40;
const valueCharsMax = 500;

/** Limits count code points, not UTF-16 units: an emoji is one character. */
function characters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0xdc00 || unit > 0xdfff) count++; // the second half of a pair does not count
  }
  return count;
}

/** The checks that do not need the stored metadata. `path`: of the parameter. */
export function checkMetadata(
  patch: Record<string, unknown>,
  path: readonly string[] = ['metadata'],
): asserts patch is MetadataPatch {
  const param = paramOf(path)!;
  const entries = Object.entries(patch);
  const added = entries.filter(([, value]) => value !== null && value !== '').length;
  if (added > keysMax) throw apiError('metadata_too_many_keys', { param, count: added });
  for (const [key, value] of entries) {
    if (key === '') throw apiError('parameter_invalid', { param, reason: 'a key needs at least one character' });
    const length = characters(key);
    if (length > keyCharsMax) throw apiError('metadata_key_too_long', { param, length });
    checkValue(paramOf([...path, key])!, value);
  }
}

function checkValue(param: string, value: unknown): void {
  if (value === null) return;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw apiError('metadata_value_invalid', { param });
  const length = characters(String(value));
  if (length > valueCharsMax) throw apiError('metadata_value_too_long', { param, length });
}

/** An empty string removes a key, as null does. */
export function removalsAsNull(patch: MetadataPatch): MetadataPatch {
  const entries = Object.entries(patch);
  if (!entries.some(([, value]) => value === '')) return patch;
  return Object.fromEntries(entries.map(([key, value]) => [key, value === '' ? null : value]));
}

/** Merges key by key: keys that are not named stay. `null` in place of the object removes all keys. */
export function mergeMetadata(current: Metadata, patch: MetadataPatch | null | undefined): Metadata {
  if (patch === undefined) return current;
  if (patch === null) return {};
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === '') merged.delete(key);
    else merged.set(key, value);
  }
  if (merged.size > keysMax) throw apiError('metadata_too_many_keys', { param: 'metadata', count: merged.size });
  return Object.fromEntries(merged);
}

/** For objects that show metadata only once it was supplied: null stays null until there is a key. */
export function changeMetadata(before: Metadata | null, patch: MetadataPatch | null | undefined): Metadata | null {
  if (patch === undefined) return before;
  const after = mergeMetadata(before ?? {}, patch);
  return before === null && Object.keys(after).length === 0 ? null : after;
}
