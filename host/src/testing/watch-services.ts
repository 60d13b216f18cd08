import type { HostServices } from '../contract.ts';

export type ServiceName = keyof HostServices;

/**
 * Wraps `services` for a remote that declares its needs: reading any other property throws. `used` collects what was read, `refused` what
 * was refused, because a callback may swallow the error.
 */
export function watchServices(services: HostServices, needs: readonly ServiceName[]) {
  const used = new Set<ServiceName>();
  const refused: string[] = [];
  const refuse = (what: string) => {
    refused.push(what);
    throw new Error(`the screen reads ${what}, which is not listed in its needs`);
  };
  const granted = Object.fromEntries(
    needs.map((name) => [name, restricted(`services.${name}`, services[name] ?? {}, refuse)]),
  );
  const watched = restricted('services', granted as unknown as HostServices, refuse, (name) => {
    used.add(name as ServiceName);
  });
  return { services: watched, used, refused };
}

/** Streams are objects of a library and are not wrapped. */
function restricted<T extends object>(
  name: string,
  target: T,
  refuse: (what: string) => never,
  onRead?: (key: string) => void,
): T {
  if ('subscribe' in target) return target;
  return new Proxy(target, {
    get(object, key, receiver) {
      if (typeof key === 'string' && !(key in object)) refuse(`${name}.${key}`);
      if (typeof key === 'string') onRead?.(key);
      return Reflect.get(object, key, receiver);
    },
  });
}
