const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * How an address that browsers are sent to would have to be written, after "must be an https address"; undefined when it is right. `isLocal`:
 * http to this machine will do as well.
 */
export function formOfAddress(text: string, { isLocal }: { isLocal: boolean }): string | undefined {
  // The parser takes a backslash for a slash, and silently drops line breaks and outer spaces, which would end up in a header.
  if (text.includes('\\')) return ', without backslashes';
  if (/[\x00-\x20\x7f]/.test(text)) return ', without spaces, line breaks and control characters';
  // It also accepts https:host, which a browser takes for a relative path.
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const local = isLocal && url?.protocol === 'http:' && loopback.test(url.hostname);
  if (url?.protocol !== 'https:' && !local) return ', such as https://shop.example/return';
  return url?.username === '' && url.password === '' ? undefined : ', without user name or password';
}

/** The address as a header can hold it: one with characters beyond ASCII is percent-encoded. */
export function inAscii(url: string): string {
  return /^[\x21-\x7e]*$/.test(url) ? url : new URL(url).href;
}
