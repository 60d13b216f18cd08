import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CreatedToken, NewToken, TokenInfo } from 'api/contract/tokens';
import { Button } from 'host/ui/button.tsx';
import { Dialog } from 'host/ui/dialog.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { focusNeighbour } from 'host/ui/move-focus.ts';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useRef, useState } from 'react';
import styles from './composition.module.css';
import { PartProblem } from './problems.tsx';
import { useOpsAction, useScreen } from './screen-context.ts';

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const SCOPE = /^(admin|read|preview|release:(\*|[a-z][a-z0-9-]{0,63})|compose:(\*|[a-z][a-z0-9-]{0,31}))$/;
const DAYS = /^([1-9]\d{0,2}|[1-2]\d{3}|3[0-5]\d{2}|36[0-4]\d|3650)$/;
const DAY_MS = 86_400_000;

/** Lists the tokens of operations and teams; creates and revokes them. */
export function TokensDialog({ onClose }: { onClose(): void }) {
  const { t, calls } = useScreen();
  const client = useQueryClient();
  const query = useQuery({ ...calls.tokens, gcTime: 0 });
  const changed = () => client.invalidateQueries({ queryKey: calls.tokens.queryKey });
  return (
    <Dialog title={t('tokens')} onClose={onClose}>
      <p className="ink-2">{t('tokens.about')}</p>
      <NewTokenForm onCreated={changed} />
      <PartProblem title={t('tokens.failed')} query={query} />
      {query.isPending && (
        <Skeleton className={styles.waiting} label={t('loading')} lines={['most', 'half']} />
      )}
      <ul className={`stack gap-s3 mt-s3 ${styles.rows}`} aria-label={t('tokens')}>
        {query.data?.tokens.map((token) => (
          <Token key={token.id} token={token} onRevoked={changed} />
        ))}
      </ul>
    </Dialog>
  );
}

type Field = 'name' | 'scopes' | 'days';

function NewTokenForm({ onCreated }: { onCreated(): void }) {
  const { t, calls } = useScreen();
  const { isBusy, failure, run, clear } = useOpsAction();
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<{ field: Field; text: string }>();
  const [created, setCreated] = useState<CreatedToken>();

  const refuse = (field: Field, text: string) => {
    clear();
    setProblem({ field, text });
    form.current?.querySelector<HTMLInputElement>(`[name="${field}"]`)?.focus();
  };
  const submit = async () => {
    const values = new FormData(form.current ?? undefined);
    const read = (field: Field) => String(values.get(field) ?? '').trim();
    const scopes = read('scopes')
      .split(/[\s,，、]+/)
      .filter(Boolean);
    const wrong = scopes.find((scope) => !SCOPE.test(scope));
    const days = read('days');
    if (!NAME.test(read('name'))) return refuse('name', t('tokens.invalidName'));
    if (wrong !== undefined || scopes.length === 0)
      return refuse('scopes', t('tokens.invalidScopes', { scope: wrong ?? '' }));
    if (days !== '' && !DAYS.test(days)) return refuse('days', t('tokens.invalidDays'));
    setProblem(undefined);
    const wanted: NewToken = {
      name: read('name'),
      scopes: scopes as NewToken['scopes'],
      expiresAt: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
    };
    await run(async () => {
      setCreated(await calls.createToken(wanted));
      form.current?.reset();
      onCreated();
    });
  };

  const field = (name: Field, hint: string) => {
    const text = problem?.field === name ? problem.text : undefined;
    return (
      <TextField
        label={t(`tokens.${name}`)}
        name={name}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        {...(name === 'days' && { inputMode: 'numeric' as const })}
        note={hint}
        fault={text}
      />
    );
  };

  return (
    <form
      ref={form}
      className="stack gap-s3 mt-s4"
      noValidate
      autoComplete="off"
      aria-label={t('tokens.new')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void submit();
      }}
    >
      <h3>{t('tokens.new')}</h3>
      {field('name', t('tokens.nameHint'))}
      {field('scopes', t('tokens.scopesHint'))}
      {field('days', t('tokens.daysHint'))}
      <div className="line wrap">
        <Button look="primary" label={t('tokens.create')} type="submit" aria-disabled={isBusy} />
      </div>
      <div role="status">
        {failure && <Fault isQuiet>{failure.message}</Fault>}
        {created && <Created token={created} />}
      </div>
    </form>
  );
}

/** The token itself, which the server never shows again. */
function Created({ token: { name, token } }: { token: CreatedToken }) {
  const { t } = useScreen();
  const [isCopied, setCopied] = useState(false);
  return (
    <div className="banner">
      <div className={styles.rowText}>
        <p>{t('tokens.created', { name })}</p>
        <code className={styles.secret}>{token}</code>
      </div>
      <Button
        look="small"
        icon={isCopied ? 'check' : 'copy'}
        label={t(isCopied ? 'copied' : 'tokens.copy')}
        onClick={() => void navigator.clipboard?.writeText(token).then(() => setCopied(true))}
      />
    </div>
  );
}

function Token({ token, onRevoked }: { token: TokenInfo; onRevoked(): void }) {
  const { t, formats, calls } = useScreen();
  const [isAsking, setAsking] = useState(false);
  const { failure, run } = useOpsAction();
  const { id, name, scopes, state, createdAt, createdBy, expiresAt, isConfigured, lastUsedAt } = token;

  const row = useRef<HTMLLIElement>(null);
  const revoke = async () => {
    focusNeighbour(row.current);
    const isRevoked = await run(() => calls.revokeToken(id));
    if (isRevoked) onRevoked();
    else setAsking(false);
  };
  const expiry = isConfigured
    ? t('tokens.configured')
    : expiresAt
      ? t('tokens.until', { time: formats.when(expiresAt) })
      : t('tokens.forever');

  return (
    <li ref={row}>
      <div className={styles.rowText}>
        <p>
          <strong>{name}</strong>{' '}
          <span className={state === 'active' ? 'tag accent' : 'tag'}>{t(`tokens.${state}`)}</span>
        </p>
        <p>
          <code className="type-code">{scopes.join(' ')}</code>
        </p>
        <small>
          {[
            t('tokens.by', { time: formats.when(createdAt), author: createdBy }),
            expiry,
            lastUsedAt ? t('tokens.used', { time: formats.when(lastUsedAt) }) : t('tokens.unused'),
          ].join(t('joint'))}
        </small>
        {failure && <Fault>{failure.message}</Fault>}
      </div>
      {state === 'active' && (
        <div className="line wrap">
          {isAsking ? (
            <button
              className="button danger small"
              type="button"
              aria-label={t('tokens.confirmOf', { name })}
              // The second click of a double-click does not count as confirmation.
              onClick={({ detail }) => detail < 2 && void revoke()}
            >
              {t('tokens.confirm')}
            </button>
          ) : (
            <Button
              look="small"
              label={t('tokens.revoke')}
              aria-label={t('tokens.revokeOf', { name })}
              onClick={() => setAsking(true)}
            />
          )}
        </div>
      )}
    </li>
  );
}
