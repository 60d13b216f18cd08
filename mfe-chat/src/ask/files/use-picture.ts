import { useQuery } from '@tanstack/react-query';
import { useObjectUrl } from 'host/ui/use-object-url.ts';
import { useState } from 'react';
import { useChat } from '../../state/chat-context.ts';
import type { ChatMessage } from '../../state/chat-message.ts';

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

/** Loads a picture with the session's token. `source` is an object URL, '' while loading. */
export function usePicture({ url, file }: Picture) {
  const { chat } = useChat();
  const query = useQuery({ ...chat.pictureAt(url), enabled: file === null }, chat.queries);
  const [hasFailed, setHasFailed] = useState(false);
  const blob = file ?? query.data ?? null;
  return {
    source: useObjectUrl(blob),
    blob,
    hasFailed: hasFailed || query.isError,
    /** Called when the browser cannot show the picture. */
    fail: () => setHasFailed(true),
    again() {
      setHasFailed(false);
      void query.refetch();
    },
  };
}
