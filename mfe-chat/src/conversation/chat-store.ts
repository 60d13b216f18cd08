import type { ChatMessage } from './chat-message.ts';

/**
 * What the list shows, without any framework. The list of keys and every single message are told apart, so that a streamed token
 * costs one map entry and wakes the listeners of one message, however long the conversation is.
 */
export interface ChatStore {
  /** The messages, oldest first. Built anew on each read: use `keys` and `message` to render. */
  readonly chatList: readonly ChatMessage[];
  /** Images of the conversation's newest question that has any. */
  readonly imgUrls: readonly string[];
  /** The scroll reference: the element that scrolls the list, once there is one. */
  readonly scroll: { current: HTMLElement | null };

  /** Appends a message to the end. */
  append(message: ChatMessage): void;
  /** Replaces the text of the last message: the progressive update. Nothing happens to an empty list. */
  replaceLastText(text: string): void;
  /** Replaces the whole list of image addresses. */
  replaceImgUrls(imgUrls: readonly string[]): void;

  /** Puts older messages before the first one. Those that are there already are left out. */
  prepend(messages: readonly ChatMessage[]): void;
  /** Changes some fields of one message. An unknown key is ignored: its conversation was left meanwhile. */
  patch(key: string, change: Partial<Omit<ChatMessage, 'key'>>): void;
  remove(keys: readonly string[]): void;
  /** Starts again with these messages. */
  reset(messages: readonly ChatMessage[]): void;

  /** Changes identity only when messages come or go. */
  keys(): readonly string[];
  /** The same keys in groups of some dozens. A group keeps its identity while its own messages stay. */
  groups(): readonly (readonly string[])[];
  message(key: string): ChatMessage | undefined;
  /** Called when messages come or go, or the images change. Returns its end. */
  subscribe(listener: () => void): () => void;
  /** Called when this one message changes. Returns its end. */
  subscribeMessage(key: string, listener: () => void): () => void;
}

/** A group that has grown to this size is closed. */
const GROUP = 40;

export function createChatStore(): ChatStore {
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
  const patch: ChatStore['patch'] = (key, change) => {
    const message = messages.get(key);
    if (!message) return;
    messages.set(key, { ...message, ...change });
    for (const listener of [...(messageListeners.get(key) ?? [])]) listener();
  };

  return {
    scroll: { current: null },
    get chatList() {
      return keys.map((key) => messages.get(key)!);
    },
    get imgUrls() {
      return imgUrls;
    },
    append(message) {
      const isNew = !messages.has(message.key);
      messages.set(message.key, message);
      if (!isNew) return;
      const last = groups.at(-1) ?? [];
      if (last.length >= GROUP) setGroups([...groups, [message.key]]);
      else setGroups([...groups.slice(0, -1), [...last, message.key]]);
    },
    replaceLastText(text) {
      const last = keys.at(-1);
      if (last !== undefined) patch(last, { text });
    },
    replaceImgUrls(next) {
      imgUrls = next;
      notify();
    },
    prepend(older) {
      const fresh = older.filter((message) => !messages.has(message.key));
      for (const message of fresh) messages.set(message.key, message);
      const freshKeys = fresh.map((message) => message.key);
      const ofGroups = Array.from({ length: Math.ceil(fresh.length / GROUP) }, (_, at) =>
        freshKeys.slice(at * GROUP, (at + 1) * GROUP),
      );
      if (fresh.length) setGroups([...ofGroups, ...groups]);
    },
    patch,
    remove(gone) {
      for (const key of gone) messages.delete(key);
      const isHere = (key: string) => messages.has(key);
      setGroups(groups.map((group) => (group.every(isHere) ? group : group.filter(isHere))));
    },
    reset(next) {
      messages.clear();
      for (const message of next) messages.set(message.key, message);
      imgUrls = [];
      setGroups([[...messages.keys()]]);
    },
    keys: () => keys,
    groups: () => groups,
    message: (key) => messages.get(key),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    subscribeMessage(key, listener) {
      const set = messageListeners.get(key) ?? new Set();
      messageListeners.set(key, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && messageListeners.get(key) === set) messageListeners.delete(key);
      };
    },
  };
}
