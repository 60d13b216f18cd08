import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import type { AdminReply } from 'api/contract/accounts';
import type { SsoSession } from 'api/contract/single-sign-on';
import { Button } from 'host/ui/button.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useDesk } from './services.tsx';
import { loginTexts } from './texts.ts';

interface PasskeyButtonProps {
  /** Whether the form whose field has autocomplete `webauthn` is open. */
  isOpen: boolean;
  onSignedIn(session: SsoSession): void;
}

const path = '/admin/passkeys/sign-in';
/** Age in ms at which a challenge is replaced: it is accepted for 5 minutes. */
const renewAfterMs = 4 * 60_000;

/**
 * Signs in with a passkey, which is chosen after a click or, if the browser supports it, from the suggestions of the user name field.
 * Renders nothing in browsers without passkeys, except in the first state, so that the layout does not shift.
 */
export function PasskeyButton({ isOpen, onSignedIn }: PasskeyButtonProps) {
  const { t, http, toasts } = useDesk(loginTexts);
  const { isBusy, run } = useAction({ toasts });
  const challenge = async (signal: AbortSignal) => {
    const url = `${path}/challenge`;
    const { data } = await http.post<PublicKeyCredentialRequestOptionsJSON>(url, undefined, { signal });
    return data;
  };
  const signIn = (choose: (signal: AbortSignal) => Promise<AuthenticationResponseJSON>) =>
    run(async (signal) => {
      const { data } = await http.post<AdminReply<SsoSession>>(path, await choose(signal), { signal });
      if (!data.data) throw new Error(data.msg);
      onSignedIn(data.data);
    });

  const suggest = useEffectEvent(async (signal: AbortSignal) => {
    if (!(await browserSupportsWebAuthnAutofill()) || signal.aborted) return;
    const optionsJSON = await challenge(signal);
    if (signal.aborted) return;
    const chosen = await startAuthentication({ optionsJSON, useBrowserAutofill: true });
    if (!signal.aborted) await signIn(async () => chosen);
  });
  const [begun, setBegun] = useState(0);
  useEffect(() => {
    if (!isOpen || isBusy) return undefined;
    const leaving = new AbortController();
    // Failures are ignored: without suggestions, the form and the button still work.
    suggest(leaving.signal).catch(() => undefined);
    const beganAt = Date.now();
    const renew = () => {
      if (!document.hidden && Date.now() - beganAt >= renewAfterMs) setBegun(begun + 1);
    };
    const timer = setInterval(renew, renewAfterMs);
    document.addEventListener('visibilitychange', renew);
    return () => {
      leaving.abort();
      WebAuthnAbortService.cancelCeremony();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, [isOpen, isBusy, begun]);

  if (typeof window !== 'undefined' && !browserSupportsWebAuthn()) return null;
  const choose = async (signal: AbortSignal) => {
    const optionsJSON = await challenge(signal);
    return startAuthentication({ optionsJSON }).catch(() => {
      throw new Error(t('passkey.cancelled'));
    });
  };
  return <Button label={t('passkey.signIn')} isOff={isBusy} onClick={() => void signIn(choose)} />;
}
