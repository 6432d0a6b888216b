#include "viewer/app/app.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>

#include "viewer/widgets/theme.h"

namespace quintet::viewer {

namespace {

/// Progress of what runs in the background is drawn this often.
constexpr double kProgressSeconds = 0.1;

}  // namespace

App::App(AppOptions options)
    : options_(std::move(options)), background_(std::make_unique<Background>(options_.wake)) {
  for (const MakePart make : part_catalog())
    parts_.add(make(options_));
  constexpr std::array<Side, kSideCount> kSides = {Side::a, Side::b};
  for (std::size_t file = 0; file < std::min(options_.files.size(), kSideCount); ++file)
    commands_.emit(command_id::kOpenFile, OpenFile{options_.files[file], kSides[file]});
}

App::~App() = default;

void App::draw(const Fonts& fonts, const ScreenFrame& screen) {
  background_->collect();
  run_commands();
  PartContext part_context{workbench_, *background_, commands_};
  parts_.prepare(part_context);
  run_commands();

  if (styled_ != std::pair(workbench_.theme, screen.scale)) {
    styled_ = {workbench_.theme, screen.scale};
    apply_theme(palette_of(workbench_.theme), screen.scale);
  }
  const std::vector<JobStatus> jobs = background_->status();
  ViewContext context{workbench_,
                      parts_,
                      jobs,
                      commands_,
                      palette_of(workbench_.theme),
                      fonts,
                      {screen.seconds, ++frames_, screen.scale}};
  ImGui::PushFont(fonts.body);
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({screen.width, screen.height});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, to_imgui(context.palette.background));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("##workbench", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleVar(3);
  ImGui::PopStyleColor();
  panes_.draw({0, 0, screen.width, screen.height}, context);
  ImGui::End();
  ImGui::PopFont();
}

void App::key(const KeyChord& chord, bool typing) {
  // A text field keeps what types, edits or moves in it; Escape and Ctrl with a letter stay ours.
  const bool edits =
      chord.ctrl && (chord.key == Key::a || chord.key == Key::c || chord.key == Key::v ||
                     chord.key == Key::x || chord.key == Key::z || chord.key == Key::y);
  if (typing && (edits || (!chord.ctrl && chord.key != Key::escape))) return;
  const CommandEntry* entry = command_for(chord, workbench_);
  if (entry != nullptr && entry->enabled_in(workbench_)) emit(entry->command());
}

void App::drop(const std::vector<std::string>& files) {
  Side side = Side::a;
  for (const std::string& file : files) {
    commands_.emit(command_id::kOpenFile, OpenFile{file, side});
    if (side == Side::b) break;
    side = Side::b;
  }
}

std::string App::title() const {
  const Document* document = workbench_.main_document();
  return document == nullptr ? "Quintet" : fmt::format("{} - Quintet", document->label());
}

double App::sleep_seconds() const {
  if (!commands_.empty()) return 0;
  return background_->idle() ? -1 : kProgressSeconds;
}

void App::settle() {
  while (!commands_.empty() || !background_->idle()) {
    run_commands();
    PartContext context{workbench_, *background_, commands_};
    parts_.prepare(context);
    background_->finish();
  }
}

void App::run_commands() {
  // Commands may emit commands; a frame runs at most this many rounds of them.
  constexpr int kRounds = 8;
  for (int round = 0; round < kRounds && !commands_.empty(); ++round) {
    for (const Command& command : commands_.take())
      run(command);
  }
}

void App::run(const Command& command) {
  const CommandOutcome outcome = apply_command(command, workbench_);
  if (outcome == CommandOutcome::disabled) return;
  PartContext context{workbench_, *background_, commands_};
  bool taken = parts_.handle(command, context);
  if (command.id == command_id::kNextTab || command.id == command_id::kPreviousTab) {
    step_tab(command.id == command_id::kNextTab ? 1 : -1);
    taken = true;
  }
  if (outcome == CommandOutcome::unknown || (outcome == CommandOutcome::for_parts && !taken)) {
    workbench_.log.warn(fmt::format("Nothing takes the command {}", command.id));
  }
}

void App::step_tab(int by) {
  const std::vector<std::string_view> tabs = panes_.tabs();
  if (tabs.empty()) return;
  const auto found = std::find(tabs.begin(), tabs.end(), workbench_.bottom_tab);
  const auto count = static_cast<std::ptrdiff_t>(tabs.size());
  const std::ptrdiff_t at = found == tabs.end() ? 0 : found - tabs.begin() + by + count;
  workbench_.bottom_tab = tabs[static_cast<std::size_t>(at % count)];
}

}  // namespace quintet::viewer
