import type { ChatMessage } from './chat-message.ts';

/** Maximum number of messages in a group. */
const GROUP_SIZE = 40;

export type ChatStore = ReturnType<typeof createChatStore>;

/**
 * The state of the message list, independent of any framework. The list of keys and the single messages have separate listeners, so that a
 * streamed token updates one map entry and renders one message, however long the conversation is.
 */
export function createChatStore() {
  const messages = new Map<string, ChatMessage>();
  const listeners = new Set<() => void>();
  const messageListeners = new Map<string, Set<() => void>>();
  let keys: readonly string[] = [];
  let groups: readonly (readonly string[])[] = [];
  let imgUrls: readonly string[] = [];

  const notify = () => {
    for (const listener of [...listeners]) listener();
  };
  const setGroups = (next: readonly (readonly string[])[]) => {
    groups = next.filter((group) => group.length > 0);
    keys = groups.flat();
    notify();
  };
  /** Changes some fields of one message. Ignores an unknown key, because the conversation may have been left meanwhile. */
  const patch = (key: string, change: Partial<Omit<ChatMessage, 'key'>>): void => {
    const message = messages.get(key);
    if (!message) return;
    messages.set(key, { ...message, ...change });
    for (const listener of [...(messageListeners.get(key) ?? [])]) listener();
  };

  return {
    /** The element that scrolls the list, once it is mounted. */
    scroll: { current: null as HTMLElement | null },
    /** The messages, oldest first. Created on each read: use `keys` and `message` to render. */
    get chatList() {
      return keys.map((key) => messages.get(key)!);
    },
    /** Images of the newest question that has any. */
    get imgUrls() {
      return imgUrls;
    },
    append(message: ChatMessage): void {
      const isNew = !messages.has(message.key);
      messages.set(message.key, message);
      if (!isNew) return;
      const last = groups.at(-1) ?? [];
      if (last.length >= GROUP_SIZE) setGroups([...groups, [message.key]]);
      else setGroups([...groups.slice(0, -1), [...last, message.key]]);
    },
    /** Replaces the text of the last message while an answer streams. Does nothing if the list is empty. */
    replaceLastText(text: string): void {
      const last = keys.at(-1);
      if (last !== undefined) patch(last, { text });
    },
    replaceImgUrls(next: readonly string[]): void {
      imgUrls = next;
      notify();
    },
    /** Inserts older messages before the first one and skips those that are already in the list. */
    prepend(older: readonly ChatMessage[]): void {
      const fresh = older.filter((message) => !messages.has(message.key));
      for (const message of fresh) messages.set(message.key, message);
      const freshKeys = fresh.map((message) => message.key);
      const newGroups = Array.from({ length: Math.ceil(fresh.length / GROUP_SIZE) }, (_, at) =>
        freshKeys.slice(at * GROUP_SIZE, (at + 1) * GROUP_SIZE),
      );
      if (fresh.length) setGroups([...newGroups, ...groups]);
    },
    patch,
    remove(removed: readonly string[]): void {
      for (const key of removed) messages.delete(key);
      const isListed = (key: string) => messages.has(key);
      setGroups(groups.map((group) => (group.every(isListed) ? group : group.filter(isListed))));
    },
    reset(next: readonly ChatMessage[]): void {
      messages.clear();
      for (const message of next) messages.set(message.key, message);
      imgUrls = [];
      setGroups([[...messages.keys()]]);
    },
    /** The message keys in order. The array's identity changes only when messages are added or removed. */
    keys: (): readonly string[] => keys,
    /** The same keys in groups of about 40. A group keeps its identity while its own messages stay. */
    groups: (): readonly (readonly string[])[] => groups,
    message: (key: string): ChatMessage | undefined => messages.get(key),
    /** Called when messages are added or removed, or the images change. Returns a function that unsubscribes. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Called when this message changes. Returns a function that unsubscribes. */
    subscribeMessage(key: string, listener: () => void): () => void {
      const set = messageListeners.get(key) ?? new Set();
      messageListeners.set(key, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && messageListeners.get(key) === set) messageListeners.delete(key);
      };
    },
  };
}
