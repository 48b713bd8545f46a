/** In place of what may not be kept, or not be shown. */
export const redacted = '[redacted]';

const keys = /[sr]k_(?:test|live)_(?!(?:tg_)?…)\w*|whsec_(?!…)[\w+/=-]*/gi;
const key = new RegExp(keys.source, 'i');

/**
 * A text without anything that looks like an API key or the secret of a webhook: it may be repeated in a log or a message. What a message
 * gives as an example, such as `sk_test_…`, stays.
 */
export function hideKeys(text: string): string {
  return text.replace(keys, '[key]');
}

/** Whether a text contains anything of that kind. */
export function holdsKey(text: string): boolean {
  return key.test(text);
}
