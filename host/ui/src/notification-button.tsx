import { useState } from 'react';
import { notificationPermission } from './background-notice.ts';
import { Button } from './button.tsx';

/** Asks for permission to show notifications. Rendered only while the browser would ask the visitor. */
export function NotificationButton({ label }: { label: string }) {
  const [permission, setPermission] = useState(notificationPermission);
  if (permission !== 'default') return null;
  return (
    <Button
      look="small bare"
      label={label}
      onClick={async () => setPermission(await Notification.requestPermission())}
    />
  );
}
