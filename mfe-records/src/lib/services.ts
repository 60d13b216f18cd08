import type { HostServices } from 'host/contract';
import { useScreenServices } from 'host/ui/screen.tsx';

/** The services of the host, within ScreenRoot. */
export const useServices = useScreenServices<HostServices>;
