/**
 * Secrets after the # of the address, such as `#link=…`: browsers do not send them. They are taken out of the address at once, so that
 * neither the history nor a screenshot has them.
 */
const taken = new Map(
  [...new URLSearchParams(location.hash.slice(1))].filter(([name]) => ['link', 'invitation'].includes(name)),
);
if (taken.size > 0) history.replaceState(null, '', location.pathname + location.search);

/** Where an address with a secret leads. */
export function doorOf(): '/sign-in' | '/invitation' | undefined {
  if (taken.has('invitation')) return '/invitation';
  return taken.has('link') ? '/sign-in' : undefined;
}

export function secretInAddress(name: 'link' | 'invitation'): string | undefined {
  return taken.get(name);
}

/** Once a page has them: React may begin to render a page more than once, so reading alone must not lose them. */
export function dropSecrets(): void {
  taken.clear();
}
