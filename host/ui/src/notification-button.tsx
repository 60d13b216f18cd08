import { useState } from 'react';
import { notificationPermission } from './background-notice.ts';

/** Asks for permission to notify; shown only while the browser would ask the person. */
export function NotificationButton({ label }: { label: string }) {
  const [permission, setPermission] = useState(notificationPermission);
  if (permission !== 'default') return null;
  return (
    <button
      className="button small bare"
      type="button"
      onClick={async () => setPermission(await Notification.requestPermission())}
    >
      {label}
    </button>
  );
}
