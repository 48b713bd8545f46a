/** A link as it is sent: in ASCII, without anything that could end an attribute or a line, and never a script. */
export function linkAddress(url: string): string {
  const { href, protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`a mail may not link to ${protocol}`);
  return href;
}
