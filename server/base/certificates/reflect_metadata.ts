type Key = string | symbol;

/**
 * @peculiar/x509 wires itself up through tsyringe, which refuses to load without the metadata functions that a
 * proposal once wanted to add to `Reflect`. These four, on classes only, are all it calls, so they replace a
 * polyfill package. A polyfill that is already loaded stays.
 */
export function provideReflectMetadata(): void {
  if ('getMetadata' in Reflect) return;

  const kept = new WeakMap<object, Map<Key, unknown>>();
  const defineMetadata = (key: Key, value: unknown, target: object): void => {
    const own = kept.get(target) ?? new Map<Key, unknown>();
    kept.set(target, own.set(key, value));
  };
  const getOwnMetadata = (key: Key, target: object): unknown => kept.get(target)?.get(key);
  const getMetadata = (key: Key, target: object): unknown => {
    for (let at: object | null = target; at; at = Object.getPrototypeOf(at)) {
      if (kept.get(at)?.has(key)) return getOwnMetadata(key, at);
    }
    return undefined;
  };
  const metadata = (key: Key, value: unknown) => (target: object) => defineMetadata(key, value, target);

  Object.assign(Reflect, { defineMetadata, getOwnMetadata, getMetadata, metadata });
}
