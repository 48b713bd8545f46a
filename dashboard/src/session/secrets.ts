/**
 * Secrets after the # of the address, such as `#link=…`: browsers do not send them. They are taken out of the address at once, so that
 * neither the history nor a screenshot has them.
 */
const pages = { invitation: '/invitation', reset: '/reset', link: '/sign-in' } as const;
type SecretName = keyof typeof pages;
const names = Object.keys(pages) as SecretName[];

const secretsIn = (hash: string) =>
  new Map([...new URLSearchParams(hash.slice(1))].filter(([name]) => names.includes(name as SecretName)));

const taken = secretsIn(location.hash);
if (taken.size > 0) history.replaceState(null, '', location.pathname + location.search);

// A link that is pasted over the address of an open tab loads nothing by itself.
addEventListener('hashchange', () => {
  if (secretsIn(location.hash).size > 0) location.reload();
});

/** Where an address with a secret leads. */
export function pageOfSecret(): (typeof pages)[SecretName] | undefined {
  const name = names.find((one) => taken.has(one));
  return name && pages[name];
}

export function secretInAddress(name: SecretName): string | undefined {
  return taken.get(name);
}

/** Once a page has them: React may begin to render a page more than once, so reading alone must not lose them. */
export function dropSecrets(): void {
  taken.clear();
}
