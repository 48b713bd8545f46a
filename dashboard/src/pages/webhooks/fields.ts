/** What a person sets of an endpoint. */
export type EndpointFields = { url: string; description: string; enabled_events: string[] };

type EndpointBefore = { url: string; description?: string; enabled_events: readonly string[] };
type EndpointChanges = { url?: string; description?: string | null; enabled_events?: string[] };

/** Why an address cannot be sent; the API looks at the rest of it, such as where its host is. */
export function urlProblem(text: string, mode: 'test' | 'live'): string | undefined {
  const url = URL.parse(text.trim());
  const schemes = mode === 'live' ? ['https:'] : ['https:', 'http:'];
  return url === null || !schemes.includes(url.protocol)
    ? `An address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`
    : undefined;
}

/** Only what is another than before; undefined if nothing is. */
export function changesOf(
  before: EndpointBefore,
  { url, description, enabled_events }: EndpointFields,
): EndpointChanges | undefined {
  const isSame = [...enabled_events].sort().join() === [...before.enabled_events].sort().join();
  const changes: EndpointChanges = {
    ...(url.trim() !== before.url && { url: url.trim() }),
    ...(description !== (before.description ?? '') && { description: description || null }),
    ...(!isSame && { enabled_events }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
}
