/** A link as it is sent: in ASCII, without anything that could end an attribute or a line, and never a script. */
export function linkAddress(url: string): string {
  const { href, protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`a mail may not link to ${protocol}`);
  return href;
}

/** A picture that comes with the mail, or stands in it. One on a server would tell who reads when. */
export function logoAddress(src: string): string {
  if (!/^(?:cid|data):/.test(src)) throw new Error('a mail may not load a picture');
  return src;
}
