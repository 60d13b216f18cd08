import { useCallback, useEffect, useState } from 'react';
import type { ChatMessage } from '../conversation/chat-message.ts';
import { useChat } from '../shared/chat-context.ts';
import { useObjectUrl } from './use-object-url.ts';

/** A picture of a question: at the server, or, until it is there, in this page. */
export interface Picture {
  key: string;
  /** '' where it has none. */
  name: string;
  url: string;
  file: File | null;
}

/** The pictures of a question, in their order. */
export function picturesOf({ files, isImage, url, imgUrls }: ChatMessage): Picture[] {
  const own = files.flatMap(({ isImage, attached }) =>
    isImage && attached ? [{ key: attached.id, name: attached.file.name, url: '', file: attached.file }] : [],
  );
  if (own.length || !isImage) return own;
  const nameOf = (address: string) => files.find((file) => file.url === address)?.name ?? '';
  const urls = [...new Set([url, ...imgUrls])].filter(Boolean);
  return urls.map((address) => ({ key: address, name: nameOf(address), url: address, file: null }));
}

/**
 * A picture that only its owner may read: fetched with the session and shown by an object URL, which is given back when the picture
 * leaves the page. `source` is '' until it is there.
 */
export function usePicture({ url, file }: Picture): {
  source: string;
  blob: Blob | null;
  hasFailed: boolean;
  fail(): void;
  again(): void;
} {
  const { pictures } = useChat().chat;
  const [blob, setBlob] = useState<Blob | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try reads anew
  useEffect(() => {
    if (file) return setBlob(file);
    let isHere = true;
    setHasFailed(false);
    pictures.read(url).then(
      (picture) => isHere && setBlob(picture),
      () => isHere && setHasFailed(true),
    );
    return () => {
      isHere = false;
    };
  }, [pictures, url, file, tries]);
  return {
    source: useObjectUrl(blob),
    blob,
    hasFailed,
    fail: useCallback(() => setHasFailed(true), []),
    again: useCallback(() => setTries((count) => count + 1), []),
  };
}
