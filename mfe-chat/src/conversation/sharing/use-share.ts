import { useQuery } from '@tanstack/react-query';
import type { NewShare, Share, ShareRequest, ShareState } from 'api/contract/sharing';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useChat } from '../../state/chat-context.ts';

/** A link created in this browser. The server stores only a hash of its token. */
interface KnownLink {
  token: string;
  createdAt: string;
}

/** The link of a conversation. All actions reject with an HttpFailure. */
export function useShare(conversationId: string) {
  const { services, chat } = useChat();
  const { http, storage } = services;
  const { pathname } = useLocation();
  const key = ['share', conversationId];
  const path = `/api/conversations/${conversationId}/share`;
  const stored = `share ${conversationId}`;
  const [known, setKnown] = useState(() => storage.get<KnownLink>(stored));
  const query = useQuery(
    {
      queryKey: key,
      queryFn: async ({ signal }) => (await http.get<ShareState>(path, { signal })).data,
      // It may have been changed on another device.
      staleTime: 0,
    },
    chat.queries,
  );
  const set = (share: Share | null) =>
    chat.queries.setQueryData<ShareState>(key, (state) => state && { ...state, share });
  const { share, hasFiles = false, hasVersions = false } = query.data ?? {};
  const isKnown = share && known?.createdAt === share.createdAt;

  return {
    /** undefined until it is loaded, and if that failed. */
    share,
    /** Whether the conversation has files, and questions with several versions, that can be shared. */
    hasFiles,
    hasVersions,
    failure: share === undefined && query.error ? query.error.message : null,
    /** Address of the link, '' if this browser does not know it. */
    url: isKnown ? addressOf(pathname, known.token) : '',
    reload: (): void => void query.refetch(),
    /** Also replaces an existing link. */
    async create(request: ShareRequest): Promise<void> {
      const { data } = await http.post<NewShare>(path, request);
      const { token, ...created } = data;
      const link = { token, createdAt: created.createdAt };
      storage.set(stored, link);
      setKnown(link);
      set(created);
    },
    async update(request: ShareRequest): Promise<void> {
      set((await http.patch<Share>(path, request)).data);
    },
    async revoke(): Promise<void> {
      await http.delete(path);
      storage.remove(stored);
      setKnown(undefined);
      set(null);
    },
  };
}

/** The token is in the fragment, which browsers send to no server. */
function addressOf(pathname: string, token: string): string {
  const { origin, pathname: whole } = window.location;
  const base = whole.endsWith(pathname) ? whole.slice(0, -pathname.length) : '';
  return `${origin}${base}/shared#${token}`;
}
