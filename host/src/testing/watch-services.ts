import type { HostServices } from '../contract.ts';

export type ServiceName = keyof HostServices;

/**
 * `services` for a remote that says what it needs: reading a service beside `needs`, or anything that the contract does not have,
 * throws. `used` fills with what was read.
 */
export function watchServices(services: HostServices, needs: readonly ServiceName[]) {
  const used = new Set<ServiceName>();
  const granted = Object.fromEntries(needs.map((name) => [name, closed(`services.${name}`, services[name])]));
  const watched = closed('services', granted as unknown as HostServices, (name) => {
    used.add(name as ServiceName);
  });
  return { services: watched, used };
}

/** Streams are the library's own objects, and stay as they are. */
function closed<T extends object>(name: string, target: T, heard?: (key: string) => void): T {
  if ('subscribe' in target) return target;
  return new Proxy(target, {
    get(object, key, receiver) {
      if (typeof key === 'string' && !(key in object))
        throw new Error(`the screen reads ${name}.${key}, which it does not say that it needs`);
      if (typeof key === 'string') heard?.(key);
      return Reflect.get(object, key, receiver);
    },
  });
}
