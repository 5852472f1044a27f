package io.mutune.trainer.format;

import io.mutune.trainer.file.FileTree;
import io.mutune.trainer.image.UnfitImageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The files below a folder. A link is none of them: what it leads to may lie anywhere. */
record FolderFiles(List<FileTree> files) implements ImageFiles {
  static FolderFiles open(Path folder) throws IOException {
    return new FolderFiles(
        FileTree.of(folder).stream().filter(file -> !ImageFiles.isHidden(file.name())).toList());
  }

  @Override
  public List<String> names() {
    return files.stream().map(FileTree::name).toList();
  }

  @Override
  public byte[] bytes(int index) throws UnfitImageException {
    return ImageFiles.read(files.get(index).path());
  }

  @Override
  public void close() {}
}
