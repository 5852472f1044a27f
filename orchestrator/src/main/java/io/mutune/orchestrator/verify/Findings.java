package io.mutune.orchestrator.verify;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.function.IORunnable;
import tools.jackson.core.JacksonException;

/** What a verification has come to so far, each in a sentence. */
final class Findings {
  private final List<String> checked = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final List<String> notProved = new ArrayList<>();

  /** What was looked at. */
  void checked(String what) {
    checked.add(what);
  }

  /** What does not agree; what was said already is not said again. */
  void problem(String what) {
    if (!problems.contains(what)) {
      problems.add(what);
    }
  }

  /** What does not agree. */
  void problems(List<String> what) {
    what.forEach(this::problem);
  }

  /**
   * Does what looks at files; where one of them cannot be read, that is a problem.
   *
   * @param name of the file, where the failure has none
   * @return whether all could be read
   */
  boolean reading(String name, IORunnable reading) {
    try {
      reading.run();
      return true;
    } catch (NoSuchFileException e) {
      problem(e.getFile() + ": there is no such file");
    } catch (FileSystemException e) {
      problem(e.getFile() + " cannot be read");
    } catch (CharacterCodingException | JacksonException e) {
      problem(name + " cannot be read");
    } catch (IOException e) {
      problem(String.valueOf(e.getMessage()));
    }
    return false;
  }

  /** What is left open. */
  void notProved(String what) {
    notProved.add(what);
  }

  /** All of it. */
  Verification all() {
    return new Verification(
        problems.isEmpty(), List.copyOf(checked), List.copyOf(problems), List.copyOf(notProved));
  }
}
