import { useCallback, useEffect, useState } from 'react';
import { useChat } from '../../state/chat-context.ts';
import type { ChatMessage } from '../../state/chat-message.ts';
import { useObjectUrl } from './use-object-url.ts';

/** A picture of a question: `url` on the server or, until it is stored there, a local file. */
export interface Picture {
  key: string;
  /** '' if unknown. */
  name: string;
  url: string;
  file: File | null;
}

/** The pictures of a question in order. */
export function picturesOf({ files, isImage, url, imgUrls }: ChatMessage): Picture[] {
  const own = files.flatMap(({ isImage, attached }) =>
    isImage && attached ? [{ key: attached.id, name: attached.file.name, url: '', file: attached.file }] : [],
  );
  if (own.length || !isImage) return own;
  const nameOf = (address: string) => files.find((file) => file.url === address)?.name ?? '';
  const urls = [...new Set([url, ...imgUrls])].filter(Boolean);
  return urls.map((address) => ({ key: address, name: nameOf(address), url: address, file: null }));
}

/** With the token, by an object URL, which is revoked on unmount. `source` is '' while loading. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads again
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
