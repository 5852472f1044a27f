package io.mutune.trainer.data;

/**
 * The memory that studies of one process hold for rows, by their stated numbers: of several that
 * fit alone and not together, the later ones wait. Safe for use by several threads.
 */
public final class RowRoom {
  private final double most;
  private double held;

  /**
   * @param most bytes of rows by their stated numbers
   */
  public RowRoom(double most) {
    this.most = most;
  }

  /** As much as rows may take of this process. */
  public static RowRoom ofThisProcess() {
    return new RowRoom(RowStorage.mostOfHeap());
  }

  /** A study's share, which is empty as yet. */
  public Share share() {
    return new Share();
  }

  /** What one study holds. */
  public final class Share implements AutoCloseable {
    private double own;

    /**
     * Holds so much in place of what it held, unless others hold too much.
     *
     * @param bytes what {@link PrivateData#checkRoom} gives
     * @return whether there is room
     */
    public boolean hold(double bytes) {
      synchronized (RowRoom.this) {
        boolean fits = held - own + bytes <= most;
        if (fits) {
          held += bytes - own;
          own = bytes;
        }
        return fits;
      }
    }

    /** Holds nothing any more. */
    @Override
    public void close() {
      synchronized (RowRoom.this) {
        held -= own;
        own = 0;
      }
    }
  }
}
