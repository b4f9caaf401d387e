interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const CELL = 64;

/** Keeps labels from overlapping: tracks which parts of the screen are taken. */
export class FreeSpace {
  readonly #cells = new Map<string, Box[]>();

  #cellsOf(box: Box): string[] {
    const cells: string[] = [];
    for (let x = Math.floor(box.left / CELL); x <= Math.floor(box.right / CELL); x++)
      for (let y = Math.floor(box.top / CELL); y <= Math.floor(box.bottom / CELL); y++) cells.push(`${x} ${y}`);
    return cells;
  }

  isFree(box: Box): boolean {
    return this.#cellsOf(box).every((cell) =>
      (this.#cells.get(cell) ?? []).every(
        (other) => box.right < other.left || box.left > other.right || box.bottom < other.top || box.top > other.bottom,
      ),
    );
  }

  take(box: Box): void {
    for (const cell of this.#cellsOf(box)) {
      const boxes = this.#cells.get(cell);
      if (boxes) boxes.push(box);
      else this.#cells.set(cell, [box]);
    }
  }

  /** Takes the space if it is free. */
  claim(box: Box): boolean {
    const free = this.isFree(box);
    if (free) this.take(box);
    return free;
  }
}
