import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Conversation } from 'api/contract/records';
import type { ListedShare, NewShare, Share, SharePage, ShareRequest, ShareState } from 'api/contract/sharing';
import { Button } from 'host/ui/button.tsx';
import { copyText } from 'host/ui/copy-text.ts';
import { Dialog } from 'host/ui/dialog.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { Problem } from 'host/ui/problem.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useChat, usePartTexts } from '../../state/chat-context.ts';
import type { ChatState } from '../../state/chat-state.ts';
import { type ShareTranslate, shareTexts } from '../../state/part-texts.ts';
import styles from './share-dialog.module.css';

/** What a link shows besides the conversation, if the visitor chooses so. */
const PARTS = ['versions', 'files'] as const;
type Part = (typeof PARTS)[number];

/** Creates, updates and revokes the link through which anyone can read a conversation. */
export function ShareDialog({ conversation, onClose }: { conversation: Conversation; onClose(): void }) {
  const { chat } = useChat();
  const t = usePartTexts(shareTexts);
  const control = useShare(conversation.id);
  const { share, failure, url } = control;
  const [chosen, setChosen] = useState<Partial<Record<Part, boolean>>>({});
  const action = useAction();
  const { isBusy } = action;
  const [days, setDays] = useState<number | null | undefined>(undefined);
  const [showsAll, setShowsAll] = useState(false);
  const [done, setDone] = useState('');
  const primary = useRef<HTMLButtonElement>(null);
  const copy = useRef<HTMLButtonElement>(null);
  const isChosen = (part: Part) => control.offered[part] && (chosen[part] ?? share?.[part] ?? false);

  const message = action.failure?.message ?? done;
  const run = async (write: () => Promise<void>, text: string) => {
    setDone('');
    if (await action.run(write)) setDone(text);
  };
  // The pressed button may have disappeared: focuses the link, or else the create button.
  useEffect(() => {
    if (done) (copy.current ?? primary.current)?.focus();
  }, [done]);
  const request = () => ({
    files: isChosen('files'),
    versions: isChosen('versions'),
    shown: shownVersions(chat, conversation.id),
    ...(days !== undefined && { days }),
  });
  const create = () => run(() => control.create(request()), t(share ? 'replaced' : 'created'));
  const update = () => run(() => control.update(request()), t('updated'));
  const revoke = () => run(control.revoke, t('revoked'));

  if (showsAll)
    return <SharedLinks onBack={() => setShowsAll(false)} onClose={onClose} onRevoked={control.reload} />;
  return (
    <Dialog
      title={t('title')}
      isBusy={isBusy}
      onClose={onClose}
      foot={
        share !== undefined && (
          <div className={styles.actions}>
            {share && <Button look="danger-quiet" label={t('revoke')} isOff={isBusy} onClick={revoke} />}
            {share && <Button label={t('replace')} isOff={isBusy} onClick={create} />}
            <Button
              ref={primary}
              look="primary"
              label={t(share ? 'update' : 'create')}
              isOff={isBusy}
              onClick={() => void (share ? update() : create())}
            />
          </div>
        )
      }
    >
      <div className={`stack gap-s4 ${styles.body}`}>
        <p>{t('about')}</p>
        <p>{t('snapshot')}</p>
        {failure !== null && (
          <Problem level={3} title={t('failed')} message={failure} onRetry={control.reload} />
        )}
        {failure === null && share === undefined && (
          <Skeleton label={t('loading')} lines={['most', 'half']} />
        )}
        {PARTS.filter((part) => control.offered[part]).map((part) => (
          <Choice
            key={part}
            label={t(part)}
            hint={t(`${part}Hint`)}
            isChecked={isChosen(part)}
            isDisabled={isBusy}
            onChange={(isChecked) => setChosen({ ...chosen, [part]: isChecked })}
          />
        ))}
        {share !== undefined && <Ends share={share} days={days} isDisabled={isBusy} onChange={setDays} />}
        {share && <ShareLink share={share} url={url} copyRef={copy} />}
        <p
          className={action.failure ? `field-note error ${styles.message}` : `field-note ${styles.message}`}
          role="status"
        >
          {action.failure && <Icon name="alert" />}
          {message}
        </p>
        <Button look="small bare" label={t('allLinks')} onClick={() => setShowsAll(true)} />
      </div>
    </Dialog>
  );
}

/** Ids of the versions that are shown of its questions; none if another conversation is open. */
function shownVersions({ consultation, store }: ChatState, conversationId: string): string[] {
  if (consultation.state$.value.conversationId !== conversationId) return [];
  return store.chatList.flatMap(({ versions, recordId }) => (versions && recordId ? [recordId] : []));
}

interface ChoiceProps {
  label: string;
  hint: string;
  isChecked: boolean;
  isDisabled: boolean;
  onChange(isChecked: boolean): void;
}

function Choice({ label, hint, isChecked, isDisabled, onChange }: ChoiceProps) {
  const hintId = useId();
  return (
    <div>
      <label className="choice">
        <input
          className="check"
          type="checkbox"
          checked={isChecked}
          disabled={isDisabled}
          aria-describedby={hintId}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {label}
      </label>
      <p id={hintId} className="field-note">
        {hint}
      </p>
    </div>
  );
}

const DAYS = [7, 30, 90];

interface EndsProps {
  share: Share | null;
  /** Days until the link expires; null: never; undefined: unchanged. */
  days: number | null | undefined;
  isDisabled: boolean;
  onChange(days: number | null | undefined): void;
}

/** Select box for when the link expires. An existing link keeps its date until another is saved. */
function Ends({ share, days, isDisabled, onChange }: EndsProps) {
  const { services } = useChat();
  const t = usePartTexts(shareTexts);
  const end = share?.expiresAt ? new Date(share.expiresAt) : null;
  const date = end && new Intl.DateTimeFormat(services.i18n.locale(), { dateStyle: 'medium' }).format(end);
  return (
    <TextField
      label={t('ends')}
      choices={[
        ...(date ? [['kept', end <= new Date() ? t('ends.over') : t('ends.kept', { date })] as const] : []),
        ['0', t('ends.0')],
        ...DAYS.map((one) => [`${one}`, t(`ends.${one}` as 'ends.7')] as const),
      ]}
      disabled={isDisabled}
      value={days === undefined ? (end ? 'kept' : '0') : String(days ?? 0)}
      onText={(value) => onChange(value === 'kept' ? undefined : Number(value) || null)}
    />
  );
}

interface ShareLinkProps {
  share: Share;
  url: string;
  copyRef: RefObject<HTMLButtonElement | null>;
}

function ShareLink({ share, url, copyRef }: ShareLinkProps) {
  const { services } = useChat();
  const t = usePartTexts(shareTexts);
  const { i18n, toasts } = services;
  const fieldId = useId();
  const time = new Intl.DateTimeFormat(i18n.locale(), { dateStyle: 'medium', timeStyle: 'short' });
  const copy = () => copyText(url, toasts, { copied: t('copied'), failed: t('copyFailed') });
  const values = {
    created: time.format(new Date(share.createdAt)),
    updated: time.format(new Date(share.updatedAt)),
  };
  return (
    <div className="field">
      {url ? (
        <>
          <label htmlFor={fieldId}>{t('link')}</label>
          <div className={`line wrap ${styles.link}`}>
            <input
              id={fieldId}
              className="input"
              readOnly
              value={url}
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
            <Button ref={copyRef} icon="copy" label={t('copy')} onClick={copy} />
          </div>
        </>
      ) : (
        <p>{t('unknown')}</p>
      )}
      <p className="field-note">{t('state', { count: share.recordCount, ...values })}</p>
    </div>
  );
}

/** A link created in this browser. The server stores only a hash of its token. */
interface KnownLink {
  token: string;
  createdAt: string;
}

/** The link of a conversation. All actions reject with an HttpFailure. */
function useShare(conversationId: string) {
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
    offered: { files: hasFiles, versions: hasVersions },
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

interface SharedLinksProps {
  onBack(): void;
  onClose(): void;
  /** Called after a link was revoked, which may be that of the shown conversation. */
  onRevoked(): void;
}

/** All links of the visitor and when they expire; each can be revoked. */
function SharedLinks({ onBack, onClose, onRevoked }: SharedLinksProps) {
  const { services, chat } = useChat();
  const t = usePartTexts(shareTexts);
  const back = useRef<HTMLButtonElement>(null);
  const { failure, run } = useAction();
  const query = useInfiniteQuery(
    {
      queryKey: ['shares'],
      queryFn: async ({ pageParam, signal }) => {
        const params = pageParam ? { cursor: pageParam } : {};
        return (await services.http.get<SharePage>('/api/shares', { params, signal })).data;
      },
      initialPageParam: '',
      getNextPageParam: ({ nextCursor }) => nextCursor,
      staleTime: 0,
    },
    chat.queries,
  );
  const shares = query.data?.pages.flatMap((page) => page.shares);
  useEffect(() => back.current?.focus(), []);

  const revoke = ({ conversationId }: ListedShare) =>
    run(async () => {
      await services.http.delete(`/api/conversations/${conversationId}/share`);
      back.current?.focus();
      onRevoked();
      await query.refetch();
    });

  return (
    <Dialog
      title={t('allLinks')}
      onClose={onClose}
      foot={<Button ref={back} label={t('back')} onClick={onBack} />}
    >
      {!shares && query.error && (
        <Problem
          level={3}
          title={t('failed')}
          message={query.error.message}
          onRetry={() => void query.refetch()}
        />
      )}
      {!shares && !query.error && <Skeleton label={t('loading')} lines={['most', 'half']} />}
      {shares?.length === 0 && <p className="blank">{t('noLinks')}</p>}
      <ul className={`stack gap-s3 ${styles.links}`}>
        {shares?.map((share) => (
          <li key={share.conversationId}>
            <Link
              className="breakable"
              to={{ search: `?c=${share.conversationId}` }}
              onClick={onClose}
              dir="auto"
            >
              {share.title}
            </Link>
            <Button
              look="small danger-quiet"
              label={t('revokeShort')}
              aria-label={t('revokeOf', { title: share.title })}
              onClick={() => void revoke(share)}
            />
            <small>{about(share, services.i18n.locale(), t)}</small>
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button look="small" label={t('more')} onClick={() => void query.fetchNextPage()} />
      )}
      <p className="field-note error" role="alert">
        {failure?.message}
      </p>
    </Dialog>
  );
}

function about(
  { createdAt, expiresAt, recordCount }: ListedShare,
  locale: string,
  t: ShareTranslate,
): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const date = expiresAt && format.format(new Date(expiresAt));
  const isOver = expiresAt !== null && new Date(expiresAt) <= new Date();
  const end = date ? t(isOver ? 'over' : 'until', { date }) : t('never');
  return t('listed', { created: format.format(new Date(createdAt)), count: recordCount, end });
}
