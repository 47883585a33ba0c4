// Takes a lock when told, says whether it has it, and keeps it until it is killed. The argument is the file.
import { Lock } from '@multilocal/stores/journal/lock';

// A listener keeps the process alive until its parent is gone.
process.on('message', async () => {
  const taken = await Lock.take(process.argv[2] ?? '').then(
    () => 'taken',
    (error: { code?: string }) => error.code ?? String(error),
  );
  process.send?.(taken);
});
process.send?.('ready');
